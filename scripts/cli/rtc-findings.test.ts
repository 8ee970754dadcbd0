import { expect, test } from 'vitest';
import { explainFindings } from './rtc-findings';

const base = {
  url: 'https://media.example.com',
  status: 201,
  candidates: ['203.0.113.7:8189'],
  connected: null,
};
const saying = (change: Partial<Parameters<typeof explainFindings>[0]>) => {
  const { works, lines } = explainFindings({ ...base, ...change });
  return `${works ? 'works' : 'fails'}: ${lines.join(' ')}`;
};

test.each([
  [{ status: null }, /^fails: .*Open TCP port 443 of media\.example\.com/],
  [{ status: null, url: 'http://localhost:8080' }, /Open TCP port 8080 of localhost/],
  [{ status: 404 }, /^fails: .*Check the stream key.*RTC_PORT must be set/],
  [{ status: 503 }, /^fails: .*status 503/],
  [
    { candidates: ['8.8.8.8:8189', '[fd00::2]:8189'] },
    /^fails: .*Open UDP port 8189 in the firewall.*ICE_SERVERS/,
  ],
  [{ candidates: ['10.0.0.5:8189', '[fd00::2]:8189'] }, /^fails: .*private addresses.*RTC_PUBLIC_ADDRESSES/],
  [{ connected: '203.0.113.7:8189' }, /^works: .*UDP 203\.0\.113\.7:8189 answers/],
])('%j is described', (change, words) => {
  expect(saying(change)).toMatch(words);
});
