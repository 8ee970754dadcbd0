import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseReports, parseRequestReports } from './read-cmcd';

const line = 'e=ps,sid="a1",sn=3,sta=r,ts=1700000000123';

describe('reports', () => {
  test('each line is one report', () => {
    const body = `${line}\ncid="x, \\"y\\"",br=(1000;v 200;a),bg,e=e,sid="a1",ts=1700000000200,v=2\r\n`;
    expect(parseReports(body)).toEqual({
      reports: [
        { sessionId: 'a1', playerTimeMs: 1_700_000_000_123, sequence: 3, state: 'rebuffering' },
        { sessionId: 'a1', playerTimeMs: 1_700_000_000_200, sequence: null, state: null },
      ],
      malformedCount: 0,
    });
  });

  test.each([
    ['no session', 'e=ps,ts=1'],
    ['an empty session', 'sid="",ts=1'],
    ['a long session', `sid="${'a'.repeat(65)}",ts=1`],
    ['no time', 'sid="a"'],
    ['a negative time', 'sid="a",ts=-1'],
    ['an unterminated string', 'sid="a,ts=1'],
    ['a text that is no list of keys', '{"sid":"a","ts":1}'],
    ['too many keys', `${Array.from({ length: 70 }, (_, index) => `k${index}=1`).join(',')},sid="a",ts=1`],
    ['a long line', `${line},cid="${'a'.repeat(5_000)}"`],
  ])('%s is malformed, and the next line is parsed', (_name, malformedLine) => {
    const { reports, malformedCount } = parseReports(`${malformedLine}\n${line}`);
    expect([reports.length, malformedCount]).toEqual([1, 1]);
  });

  test('an unknown state is null', () => {
    expect(parseReports('sid="a",ts=1,sta=constructor').reports[0]?.state).toBeNull();
  });

  test('measurements are parsed, and invalid ones are omitted', () => {
    const keys = 'bl=(4000;a 0;v),br=(2000),com.headwater-height="720",lb=(96;a 1100;v),ltc=2400,mtp=900';
    expect(parseReports(`${keys},sid="a",ts=1`).reports).toMatchObject([
      { bufferMs: 0, height: 720, lowestKbps: 1_100, latencyMs: 2_400, throughputKbps: 900 },
    ]);
    const invalidLine = 'bl=-1,com.headwater-height="tall",lb=(a),ltc=-5,mtp=999999999999,sid="a",ts=1';
    expect(Object.keys(parseReports(invalidLine).reports[0] ?? {})).toEqual([
      'sessionId',
      'playerTimeMs',
      'sequence',
      'state',
    ]);
  });

  test('a body has at most 200 reports', () => {
    expect(parseReports(`${line}\n`.repeat(1_000)).reports).toHaveLength(200);
  });

  test('any text is parsed without an error', () => {
    const almostValidBody = fc.array(fc.constantFrom(...Array.from('esidtan=,;"\\()? \n01.-')), {
      maxLength: 300,
    });
    const text = fc.oneof(
      fc.string({ maxLength: 500 }),
      almostValidBody.map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(text, (body) => {
        for (const { sessionId, playerTimeMs } of parseReports(body).reports) {
          expect(sessionId.length).toBeGreaterThan(0);
          expect(playerTimeMs).toBeGreaterThanOrEqual(0);
        }
      }),
    );
  });

  test.each(['a;', '(a ', 'a=(a;a ', ';a', '"\\"', 'a=1 ,'])(
    'lines that repeat %j are rejected within the time limit of a test: their parser does not backtrack much',
    (part) => {
      const { reports, malformedCount } = parseReports(`${part.repeat(4_000 / part.length)}!\n`.repeat(15));
      expect([reports.length, malformedCount]).toEqual([0, 15]);
    },
  );
});

describe('requests for media', () => {
  const statesOf = (keys: string) => parseRequestReports(keys, 5_000).map(({ state }) => state);

  test.each([
    ['the first requests', 'sid="a",su,ot=v', ['starting']],
    ['requests of a player with enough data', 'sid="a",ot=av,bl=12000', ['playing']],
    ['the request after a stall', 'sid="a",bs,ot=v', ['rebuffering', 'playing']],
    ['requests of a paused player', 'sid="a",pr=0', ['paused']],
    ['version 2', 'sid="a",sta=k,v=2', ['seeking']],
    ['playlists', 'sid="a",ot=m,su', []],
    ['no session', 'ot=v,su', []],
    ['a text that is no list of keys', 'sid="a', []],
  ])('are parsed to reports: %s', (_name, keys, expected) => {
    expect(statesOf(keys)).toEqual(expected);
  });

  test("are reported with the server's time and the throughput", () => {
    expect(parseRequestReports('mtp=2300,sid="a"', 5_000)).toEqual([
      {
        sessionId: 'a',
        playerTimeMs: 5_000,
        sequence: null,
        state: 'playing',
        isFromRequest: true,
        throughputKbps: 2_300,
      },
    ]);
  });
});
