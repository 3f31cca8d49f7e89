import { expect, test } from 'vitest';
import { readTime } from './times';

const HOURS = Array.from({ length: 25 }, (_, hour) => hour);
const read = (words: (hour: number) => string) => HOURS.map((hour) => readTime(words(hour))?.replace(/^0|:00$/g, '') ?? '-').join(' ');
const LATER = '13 14 15 16 17 18 19 20 21 22 23';

/** What each hour from 0 to 24 means with a part of the day. */
const KOREAN: [string, string][] = [
  ['', `0 13 14 15 16 17 18 7 8 9 10 11 12 ${LATER} -`],
  ['오전 ', `0 1 2 3 4 5 6 7 8 9 10 11 0 ${LATER} -`],
  ['새벽 ', `0 1 2 3 4 5 6 7 8 9 10 11 0 ${LATER} -`],
  ['아침 ', `0 1 2 3 4 5 6 7 8 9 10 11 12 ${LATER} -`],
  ['낮 ', `12 13 14 15 16 17 18 19 20 21 10 11 12 ${LATER} -`],
  ['점심 ', `12 13 14 15 16 17 18 19 20 21 10 11 12 ${LATER} -`],
  ['오후 ', `12 ${LATER} 12 ${LATER} -`],
  ['저녁 ', `12 ${LATER} 12 ${LATER} -`],
  ['밤 ', `0 1 2 3 4 5 18 19 20 21 22 23 - ${LATER} -`],
];

test.each(KOREAN)('each hour with "%s" in front is read as people mean it', (part, hours) => {
  expect(read((hour) => `${part}${hour}시`)).toBe(hours);
  expect(read((hour) => `${part}${hour}시 반`)).toBe(hours.replaceAll(/\d+/g, '$&:30'));
});

test('each hour is read with am, with pm and with neither', () => {
  expect(read((hour) => `${hour}am`)).toBe(`- 1 2 3 4 5 6 7 8 9 10 11 0${' -'.repeat(12)}`);
  expect(read((hour) => `at ${hour} p.m.`)).toBe(`- ${LATER} 12${' -'.repeat(12)}`);
  expect(read((hour) => `${hour}:00`)).toBe(`${HOURS.slice(0, 24).join(' ')} -`);
});

test('a time has its minutes, and no more than sixty', () => {
  expect(['1pm', '1 am', '3:59', '오후 3시 5분', '3:60', '오후 3시 60분', 'noon', '정오', 'afternoon', '아침'].map(readTime)).toEqual(['13:00', '01:00', '03:59', '15:05', undefined, undefined, '12:00', '12:00', undefined, undefined]);
});

test('a bare hour in English is of the half that people mean, or of its part of the day', () => {
  expect(['at 9', 'at 5', 'at 12', 'mornings at 6', 'evening at 7', 'nights at 10', 'at 14', 'evening at 19:30'].map(readTime)).toEqual(['09:00', '17:00', '12:00', '06:00', '19:00', '22:00', '14:00', '19:30']);
});
