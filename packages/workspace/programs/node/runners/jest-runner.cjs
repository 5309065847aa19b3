// The test runner that jest is given: its own, with tests of ours at the end of the test file.

const addCanaries = require("./canary-tests.cjs");
const runTests = require(process.env.LOOPWRIGHT_RUNNER);

module.exports = (globalConfig, config, environment, runtime, testPath, ...rest) => {
  let globals = environment.global;
  const addAfter = (path) => {
    if (path !== testPath) return;
    const { test, expect } = globals;
    addCanaries(test, (a, b) => expect(a).toBe(b));
  };
  const own = {
    setGlobalsForRuntime(given) {
      globals = given;
      return runtime.setGlobalsForRuntime(given);
    },
    requireModule(path, ...more) {
      const loaded = runtime.requireModule(path, ...more);
      addAfter(path);
      return loaded;
    },
    async unstable_importModule(path, ...more) {
      const loaded = await runtime.unstable_importModule(path, ...more);
      addAfter(path);
      return loaded;
    },
  };
  const guarded = new Proxy(runtime, {
    get(target, name) {
      if (Object.hasOwn(own, name)) return own[name];
      const value = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return (runTests.default ?? runTests)(globalConfig, config, environment, guarded, testPath, ...rest);
};
