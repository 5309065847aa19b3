const HANDLE = /^[a-z][a-z0-9_]{2,14}$/i;
const MENTION = /(^|[^\w@])@(\w+)/g;

export function isHandle(text) {
  return HANDLE.test(text);
}

/** The distinct handles mentioned in a message, in lower case, in order. */
export function mentions(message) {
  const found = new Set();
  for (const [, , name] of message.matchAll(MENTION)) {
    if (isHandle(name)) found.add(name.toLowerCase());
  }
  return [...found];
}

export function linkMentions(message, toUrl) {
  return message.replace(MENTION, (whole, before, name) =>
    isHandle(name) ? `${before}<a href="${toUrl(name.toLowerCase())}">@${name}</a>` : whole,
  );
}

export function rejectBadHandles(handles) {
  return handles.filter((handle) => !isHandle(handle));
}
