import { test } from "node:test";
import assert from "node:assert/strict";
import { extension, isInside, normalize, resolveRequest } from "./paths.ts";

test("normalize", () => {
  assert.equal(normalize("/a//b/./c/../d/"), "/a/b/d");
  assert.equal(normalize("/../.."), "/");
});

test("a file in the root", () => {
  assert.equal(isInside("/srv/app", "/srv/app/index.html"), true);
});

test("the root itself", () => {
  assert.equal(isInside("/srv/app/", "/srv/app"), true);
});

test("a neighbour with a longer name is outside", () => {
  assert.equal(isInside("/srv/app", "/srv/app-old/secret"), false);
});

test("somewhere else", () => {
  assert.equal(isInside("/srv/app", "/etc/passwd"), false);
});

test("requests", () => {
  assert.equal(resolveRequest("/srv/app", "/css/main.css"), "/srv/app/css/main.css");
  assert.equal(resolveRequest("/srv/app", "/%2e%2e/other"), null);
});

test("extension", () => {
  assert.equal(extension("/a.b/Photo.JPG"), "jpg");
  assert.equal(extension("/home/.profile"), "");
});
