import test from 'node:test';
import assert from 'node:assert/strict';
import { clock, freeSlots, minutes } from './free-slots.ts';

test('reads and writes clock times', () => {
  assert.equal(minutes('9:05'), 545);
  assert.equal(clock(545), '9:05');
  assert.equal(clock(840), '14:00');
});

test('without bookings everything is free', () => {
  assert.deepEqual(freeSlots(['8:00-12:00', '13:00-17:00'], []), ['8:00-12:00', '13:00-17:00']);
});

test('a booking at the start', () => {
  assert.deepEqual(freeSlots(['8:00-12:00'], ['8:00-9:30']), ['9:30-12:00']);
});

test('a booking over the end', () => {
  assert.deepEqual(freeSlots(['8:00-12:00'], ['11:00-13:00']), ['8:00-11:00']);
});

test('a booking in the middle leaves both sides', () => {
  assert.deepEqual(freeSlots(['8:00-12:00'], ['9:00-10:00']), ['8:00-9:00', '10:00-12:00']);
});

test('a booking outside changes nothing', () => {
  assert.deepEqual(freeSlots(['8:00-12:00'], ['12:00-14:00']), ['8:00-12:00']);
});

test('a slot booked exactly is gone', () => {
  assert.deepEqual(freeSlots(['8:00-9:00', '10:00-11:00'], ['8:00-9:00']), ['10:00-11:00']);
});
