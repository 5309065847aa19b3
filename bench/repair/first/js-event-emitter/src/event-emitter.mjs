export function createEmitter() {
  const listeners = new Map();

  function on(event, listener) {
    if (!listeners.has(event)) listeners.set(event, []);
    listeners.get(event).push(listener);
    return () => off(event, listener);
  }

  function off(event, listener) {
    const list = listeners.get(event);
    const index = list ? list.indexOf(listener) : -1;
    if (index === -1) return false;
    list.splice(index, 1);
    return true;
  }

  function once(event, listener) {
    const remove = on(event, (...args) => {
      remove();
      listener(...args);
    });
    return remove;
  }

  function emit(event, ...args) {
    const list = listeners.get(event) ?? [];
    let called = 0;
    for (const listener of list) {
      listener(...args);
      called++;
    }
    return called;
  }

  const count = (event) => listeners.get(event)?.length ?? 0;

  return { on, off, once, emit, count };
}
