import test from 'node:test';
import assert from 'node:assert/strict';
import { DocumentWorkflow } from './document-workflow.ts';

test('undoes a long path step by step', () => {
  const doc = new DocumentWorkflow();
  doc.apply('submit');
  doc.apply('approve');
  doc.apply('publish');
  doc.apply('archive');
  const seen = [];
  while (doc.undo()) seen.push(doc.state);
  assert.deepEqual(seen, ['published', 'approved', 'review', 'draft']);
});

test('only the last note is taken back', () => {
  const doc = new DocumentWorkflow();
  doc.apply('submit', 'please look');
  doc.apply('reject', 'typos');
  doc.apply('submit', 'again');
  doc.undo();
  assert.deepEqual(doc.notes, ['submit: please look', 'reject: typos']);
  doc.undo();
  assert.deepEqual(doc.notes, ['submit: please look']);
});

test('an undone step can be done otherwise', () => {
  const doc = new DocumentWorkflow();
  doc.apply('submit', 'a');
  doc.apply('approve', 'fine');
  doc.undo();
  doc.apply('reject', 'not yet');
  assert.equal(doc.state, 'draft');
  assert.deepEqual(doc.notes, ['submit: a', 'reject: not yet']);
});

test('refused actions leave no trace in the past', () => {
  const doc = new DocumentWorkflow();
  doc.apply('submit');
  doc.apply('publish');
  assert.ok(doc.undo());
  assert.equal(doc.state, 'draft');
  assert.equal(doc.undo(), false);
});
