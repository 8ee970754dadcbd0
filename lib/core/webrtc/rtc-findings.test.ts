import { expect, test } from 'vitest';
import { reasonOf } from '../reasons/reason';
import {
  formatEndpoint,
  explainObservations,
  parseHostCandidates,
  type RtcObservations,
} from './rtc-findings';

const offerAccepted: RtcObservations = {
  url: 'https://media.example.com',
  status: 201,
  candidates: ['203.0.113.7:8189'],
  connected: null,
};
const verdictOf = (change: Partial<RtcObservations>) => explainObservations({ ...offerAccepted, ...change });

const cases: readonly (readonly [Partial<RtcObservations>, RegExp])[] = [
  [{ status: null }, /^fails: .*Open TCP port 443 of media\.example\.com/],
  [{ status: null, url: 'http://localhost:8080' }, /Open TCP port 8080 of localhost/],
  [{ status: 404 }, /^fails: .*Check the stream key.*RTC_PORT must be set/],
  [{ status: 406 }, /^fails: .*Use one with H\.264/],
  [{ status: 503 }, /^fails: .*status 503/],
  [{ candidates: [] }, /^fails: The server names no address/],
  [
    { candidates: ['8.8.8.8:8189', '[fd00::2]:8189'] },
    /^fails: .*Open UDP port 8189 in the firewall.*ICE_SERVERS/,
  ],
  [{ candidates: ['10.0.0.5:8189', '[fd00::2]:8189'] }, /^fails: .*private addresses.*RTC_PUBLIC_ADDRESSES/],
  [{ connected: '203.0.113.7:8189' }, /^works: .*UDP 203\.0\.113\.7:8189 answers/],
  [{ connected: '198.51.100.2:3478', relayed: true }, /^works: .*TURN server 198\.51\.100\.2:3478/],
];

test.each(cases)('explainObservations explains %j: %s', (change, messagePattern) => {
  const { works, findings } = verdictOf(change);
  expect(`${works ? 'works' : 'fails'}: ${findings.map(({ message }) => message).join(' ')}`).toMatch(
    messagePattern,
  );
});

test.each(cases)('the messages about %j have the codes of their reasons', (change) => {
  for (const { message, reason } of verdictOf(change).findings)
    expect(reasonOf(message)?.code).toBe(reason.code);
});

test('parseHostCandidates returns the host candidates of an SDP answer', () => {
  const answer = [
    'a=candidate:1 1 UDP 2122317823 10.0.0.5 8189 typ host',
    'a=candidate:2 1 UDP 2122317823 fd00::2 8189 typ host',
    'a=candidate:3 1 UDP 1686109951 203.0.113.7 8189 typ srflx raddr 0.0.0.0 rport 0',
  ].join('\r\n');
  expect(parseHostCandidates(answer)).toEqual(['10.0.0.5:8189', '[fd00::2]:8189']);
});

test.each([
  ['203.0.113.7', '203.0.113.7:1'],
  ['fd00::2', '[fd00::2]:1'],
  ['[fd00::2]', '[fd00::2]:1'],
])('formatEndpoint adds a port to %s', (address, endpoint) =>
  expect(formatEndpoint(address, 1)).toBe(endpoint),
);
