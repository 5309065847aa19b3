import { test } from "node:test";
import assert from "node:assert/strict";
import { isInside, resolveRequest } from "./paths.ts";

test("neighbours of several names", () => {
  for (const other of ["/data/us", "/data/users2", "/data/users.bak/x", "/data/users~"]) {
    assert.equal(isInside("/data/users", other), false, other);
  }
});

test("everything is inside the top", () => {
  assert.equal(isInside("/", "/anything/at/all"), true);
  assert.equal(isInside("/", "/"), true);
});

test("a request that climbs to a neighbour", () => {
  assert.equal(resolveRequest("/www", "/../www2/index.html"), null);
  assert.equal(resolveRequest("/www", "../wwwroot"), null);
});

test("a request that climbs and comes back", () => {
  assert.equal(resolveRequest("/www", "/../www/index.html"), "/www/index.html");
});

test("deep, and names with a hyphen inside", () => {
  assert.equal(isInside("/srv/app", "/srv/app/-old/x"), true);
  assert.equal(isInside("/srv/app/", "/srv/app/a/b/c"), true);
  assert.equal(isInside("/srv/app/a", "/srv/app"), false);
});
