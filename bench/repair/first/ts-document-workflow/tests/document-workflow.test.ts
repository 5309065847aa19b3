import test from 'node:test';
import assert from 'node:assert/strict';
import { DocumentWorkflow } from './document-workflow.ts';

test('a document goes from draft to published', () => {
  const doc = new DocumentWorkflow();
  assert.ok(doc.apply('submit'));
  assert.ok(doc.apply('approve'));
  assert.ok(doc.apply('publish'));
  assert.equal(doc.state, 'published');
  assert.equal(doc.finished, false);
});

test('an action that is not available changes nothing', () => {
  const doc = new DocumentWorkflow();
  assert.equal(doc.apply('publish', 'now'), false);
  assert.equal(doc.state, 'draft');
  assert.deepEqual(doc.notes, []);
});

test('archived is final', () => {
  const doc = new DocumentWorkflow();
  doc.apply('archive');
  assert.equal(doc.finished, true);
  assert.deepEqual(doc.available(), []);
});

test('undo without a past', () => {
  assert.equal(new DocumentWorkflow().undo(), false);
});

test('undo goes back one step', () => {
  const doc = new DocumentWorkflow();
  doc.apply('submit');
  doc.apply('approve');
  assert.equal(doc.undo(), true);
  assert.equal(doc.state, 'review');
});

test('undo takes back the note', () => {
  const doc = new DocumentWorkflow();
  doc.apply('submit', 'first version');
  doc.undo();
  assert.deepEqual(doc.notes, []);
});
