import { beforeEach, describe, expect, it, vi } from 'vitest';
import { metrics } from '@/lib/infra/metrics/metrics';
import { countOf } from '@/lib/infra/metrics/testing/metric-value';
import { askAdmission } from './ask-admission';
import { KeyGuessLimiter } from './key-guess-limiter';
import type {
  AdmitPublish,
  PublisherConnection,
  PublishRequest,
  PublishSink,
} from '@/media-worker/media/packets/publish';

const sink: PublishSink = { push: () => undefined, end: () => undefined };
const connection: PublisherConnection = {
  id: 'id',
  ip: '192.0.2.1',
  source: 'encoder',
  silentMs: () => 0,
  disconnect: () => undefined,
};
const request = (streamKey: string): PublishRequest => ({ app: 'live', streamKey, ip: '192.0.2.1' });

describe('askAdmission', () => {
  const admit = vi.fn<AdmitPublish>();
  const log = { debug: vi.fn(), info: vi.fn(), warn: vi.fn() };
  let keyGuessLimiter: KeyGuessLimiter;
  const askWithKey = (key: string): Promise<PublishSink | 'draining' | null> =>
    askAdmission(request(key), connection, { admit, keyGuessLimiter, log });

  beforeEach(() => {
    vi.resetAllMocks();
    keyGuessLimiter = new KeyGuessLimiter({ maxWrongKeys: 1, serialChecksMs: 1000 }, () => 0);
  });

  it('returns the sink of an admitted publish', async () => {
    admit.mockResolvedValue(sink);
    expect(await askWithKey('good')).toBe(sink);
  });

  it.each([
    ['no_key', '', null, 1],
    ['unknown_key', 'unknown', null, 1],
    ['node_draining', 'any', 'draining', 1],
    // `admit` counts the rejection of an existing key, with its reason.
    ['unknown_key', 'good', 'rejected', 0],
  ] as const)(
    'with reason %s, key "%s" and answer %s, counts %i more rejections and no admission',
    async (reason, key, answer, addedRejections) => {
      admit.mockResolvedValue(answer);
      const rejectedBefore = await countOf(metrics.publishesRejected, { reason });
      const admittedBefore = await countOf(metrics.publishesAdmitted);
      await askWithKey(key);
      expect(await countOf(metrics.publishesRejected, { reason })).toBe(rejectedBefore + addedRejections);
      expect(await countOf(metrics.publishesAdmitted)).toBe(admittedBefore);
    },
  );

  it('counts admitted publishes, and logs stream and session', async () => {
    const ids = { streamId: 'a stream', sessionId: 'a session' };
    admit.mockResolvedValue({ ...sink, ids });
    const admittedBefore = await countOf(metrics.publishesAdmitted);
    await askWithKey('good');
    expect(await countOf(metrics.publishesAdmitted)).toBe(admittedBefore + 1);
    expect(log.info).toHaveBeenCalledWith(expect.objectContaining(ids), 'publish admitted');
  });

  it('does not check an empty key', async () => {
    expect(await askWithKey('')).toBeNull();
    expect(admit).not.toHaveBeenCalled();
  });

  it('logs a warning about an address that guesses keys, and still admits the right key', async () => {
    admit.mockResolvedValue(null);
    await askWithKey('one');
    await askWithKey('two');
    expect(log.warn).toHaveBeenCalledOnce();
    admit.mockResolvedValue(sink);
    expect(await askWithKey('good')).toBe(sink);
  });

  it('does not count a key that may not be used now as a guess', async () => {
    admit.mockResolvedValue('rejected');
    for (const key of ['one', 'two', 'three']) expect(await askWithKey(key)).toBeNull();
    expect(log.warn).not.toHaveBeenCalled();
    admit.mockResolvedValue(sink);
    expect(await askWithKey('good')).toBe(sink);
  });

  it('returns `draining` while the node drains, without counting a guess', async () => {
    admit.mockResolvedValue('draining');
    for (const key of ['one', 'two', 'three']) expect(await askWithKey(key)).toBe('draining');
    expect(log.warn).not.toHaveBeenCalled();
    admit.mockResolvedValue(sink);
    expect(await askWithKey('good')).toBe(sink);
  });

  it('does not count a failed check as a guess', async () => {
    admit.mockRejectedValue(new Error('database is away'));
    for (const key of ['one', 'two', 'three']) await expect(askWithKey(key)).rejects.toThrow();
    admit.mockResolvedValue(sink);
    expect(await askWithKey('good')).toBe(sink);
  });
});
