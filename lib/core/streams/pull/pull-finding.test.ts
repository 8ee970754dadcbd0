import { expect, test } from 'vitest';
import { reasonOf } from '@/lib/core/reasons/reason';
import { type PullFinding, pullGivenUpMessage, formatPullMessage } from './pull-finding';

const outcomes: Readonly<Record<PullFinding['outcome'], true>> = {
  name_not_found: true,
  address_not_public: true,
  connection_refused: true,
  no_answer: true,
  tls_failed: true,
  own_ingest: true,
  rejected: true,
  not_found: true,
  redirected: true,
  no_media: true,
  not_readable: true,
  media_stopped: true,
  ended: true,
  lost: true,
  publish_refused: true,
  interrupted: true,
};
const source = { host: 'live.example.com', port: 554 };

test.each(Object.keys(outcomes) as PullFinding['outcome'][])('%s has a message with a code', (outcome) => {
  expect(reasonOf(formatPullMessage({ outcome }, source))).not.toBeNull();
  expect(reasonOf(formatPullMessage({ outcome, detail: 'HTTP 403' }, source))).not.toBeNull();
});

test('the message about rejected media contains the reason, and a pull that was given up has a code', () => {
  const detail = 'another encoder is publishing to this stream';
  const reason = reasonOf(formatPullMessage({ outcome: 'publish_refused', detail }, source));
  expect(reason).toMatchObject({ code: 'pull_not_accepted_because', cause: { code: 'another_encoder' } });
  expect(reasonOf(pullGivenUpMessage)?.code).toBe('pull_given_up');
});
