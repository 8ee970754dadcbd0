import { describe, expect, test } from 'vitest';
import { sessionMachine } from '@/lib/core/sessions/session-state';
import { airStateOf, airStateOfSession, airStateOfStream } from './air-state';

const booleans = [false, true] as const;
const statuses = ['waiting', 'ready', 'failed', 'deleted', 'none', undefined] as const;

describe('air state', () => {
  const allFacts = booleans.flatMap((playable) =>
    booleans.flatMap((connected) =>
      booleans.flatMap((resumable) =>
        (['none', 'pending', 'ready'] as const).map((recording) => ({
          playable,
          connected,
          resumable,
          recording,
        })),
      ),
    ),
  );
  test.each(allFacts)(
    'follows from whether the playlist, the encoder and the recording exist: %j',
    (facts) => {
      const { playable, connected, resumable, recording } = facts;
      const stateAfterEnd = { none: 'off', pending: 'processing', ready: 'ready' }[recording];
      const stateWhileOpen = playable && connected ? 'onAir' : 'waitingForEncoder';
      expect(airStateOf(facts)).toBe(playable || connected || resumable ? stateWhileOpen : stateAfterEnd);
    },
  );

  const sessions = sessionMachine.states.flatMap((state) =>
    [0, 1].flatMap((sourceSegments) =>
      booleans.flatMap((record) =>
        statuses.map((recordingStatus) => ({
          state,
          sourceSegments,
          record,
          ...(recordingStatus ? { recordingStatus } : {}),
        })),
      ),
    ),
  );
  test.each(sessions)(
    'of a session follows from its state, its segments and its recording: %j',
    (session) => {
      const air = airStateOfSession(session);
      const { state, sourceSegments, record, recordingStatus } = session;
      // Only live sessions are on air; only ended ones are processed or ready.
      const isPlayable = sourceSegments > 0 || (record && recordingStatus === 'waiting');
      expect(air === 'onAir').toBe(state === 'live' && isPlayable);
      expect(air === 'waitingForEncoder').toBe(state !== 'ended' && air !== 'onAir');
      expect(air === 'processing').toBe(state === 'ended' && record && recordingStatus === 'waiting');
      expect(air === 'ready').toBe(state === 'ended' && record && recordingStatus === 'ready');
    },
  );

  const streams = booleans.flatMap((isActive) =>
    booleans.flatMap((suspended) => booleans.map((reconnecting) => ({ isActive, suspended, reconnecting }))),
  );
  test.each(streams)(
    'of a stream follows from whether it is active, suspended or reconnecting: %j',
    (stream) => {
      const { isActive, suspended, reconnecting } = stream;
      const isPlayable = isActive && !suspended;
      expect(airStateOfStream(stream)).toBe(
        isPlayable ? (reconnecting ? 'waitingForEncoder' : 'onAir') : 'off',
      );
    },
  );
});
