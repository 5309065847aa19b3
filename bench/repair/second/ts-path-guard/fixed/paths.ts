/** Resolves "." and ".." in an absolute path and drops repeated slashes. */
export function normalize(path: string): string {
  if (!path.startsWith("/")) throw new Error(`not an absolute path: ${path}`);
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === "..") parts.pop();
    else parts.push(part);
  }
  return "/" + parts.join("/");
}

export function join(base: string, child: string): string {
  return normalize(child.startsWith("/") ? child : `${base}/${child}`);
}

export function isInside(root: string, path: string): boolean {
  const top = normalize(root);
  const full = normalize(path);
  return top === "/" || full === top || full.startsWith(top + "/");
}

/** The file a request means, or null when it points out of the root. */
export function resolveRequest(root: string, request: string): string | null {
  const path = join(root, decodeURIComponent(request).replace(/^\/+/, ""));
  return isInside(root, path) ? path : null;
}

export function extension(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return dot > 0 ? name.slice(dot + 1).toLowerCase() : "";
}
