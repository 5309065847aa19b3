export class Emitter {
  #listeners = new Map();

  /** Adds a listener and returns a function that takes it off again. */
  on(type, listener) {
    if (!this.#listeners.has(type)) this.#listeners.set(type, []);
    this.#listeners.get(type).push(listener);
    return () => this.off(type, listener);
  }

  once(type, listener) {
    const off = this.on(type, (...args) => {
      off();
      listener(...args);
    });
    return off;
  }

  off(type, listener) {
    const list = this.#listeners.get(type);
    const at = list ? list.indexOf(listener) : -1;
    if (at === -1) return false;
    list.splice(at, 1);
    return true;
  }

  /** Calls everyone who was listening when the event was sent; returns how many. */
  emit(type, ...args) {
    const list = [...(this.#listeners.get(type) ?? [])];
    let called = 0;
    for (const listener of list) {
      listener(...args);
      called++;
    }
    return called;
  }

  count(type) {
    return this.#listeners.get(type)?.length ?? 0;
  }
}
