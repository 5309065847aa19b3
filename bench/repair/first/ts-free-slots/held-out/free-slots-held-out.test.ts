import test from 'node:test';
import assert from 'node:assert/strict';
import { freeSlots } from './free-slots.ts';

test('several bookings in one slot', () => {
  assert.deepEqual(
    freeSlots(['9:00-17:00'], ['10:00-11:00', '12:30-13:00', '15:00-16:45']),
    ['9:00-10:00', '11:00-12:30', '13:00-15:00', '16:45-17:00'],
  );
});

test('a booking wider than the slot removes it', () => {
  assert.deepEqual(freeSlots(['9:00-10:00', '11:00-12:00'], ['8:30-10:15']), ['11:00-12:00']);
});

test('a booking across the lunch break', () => {
  assert.deepEqual(freeSlots(['8:00-12:00', '13:00-17:00'], ['11:30-14:00']), ['8:00-11:30', '14:00-17:00']);
});

test('bookings in any order, overlapping', () => {
  assert.deepEqual(freeSlots(['8:00-12:00'], ['10:00-11:00', '9:00-10:30']), ['8:00-9:00', '11:00-12:00']);
});

test('short remains are dropped', () => {
  assert.deepEqual(freeSlots(['8:00-12:00'], ['8:10-9:00', '9:20-11:00'], 15), ['9:00-9:20', '11:00-12:00']);
});
