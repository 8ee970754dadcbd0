/** Player reports in Common Media Client Data, version 2 (CTA-5004-B). */

type CmcdValue = string | number | boolean;

export const playerStates = {
  s: 'starting',
  p: 'playing',
  k: 'seeking',
  r: 'rebuffering',
  a: 'paused',
  w: 'waiting',
  e: 'ended',
  f: 'failed',
  q: 'quit',
  d: 'preloading',
} as const;

export type PlayerState = (typeof playerStates)[keyof typeof playerStates];

/** One event of one view. */
export interface PlayerReport {
  /** Random id that the player chose for this view. */
  readonly sessionId: string;
  /** Unix milliseconds of the player's clock. */
  readonly at: number;
  /** Rises with each report of a view; null if the player does not count. */
  readonly sequence: number | null;
  /** Null if the report has no state. */
  readonly state: PlayerState | null;
  /** Milliseconds from the camera to the screen. */
  readonly latencyMs?: number;
  /** Kilobits per second: the measured throughput, and the bitrate of the lowest rendition. */
  readonly throughputKbps?: number;
  readonly lowestKbps?: number;
  /** Whether the report came with a request for media, not as an event. */
  readonly ofRequest?: true;
  /** Whether the edge that forwarded the report waited for its origin in the seconds before. */
  readonly edgeWaited?: boolean;
  /** Picture height in lines, in a custom key because CMCD has none. */
  readonly height?: number;
}

/** Custom keys have a prefix (CTA-5004-B). */
export const heightKey = 'com.headwater-height';

interface ReadReports {
  readonly reports: readonly PlayerReport[];
  /** Number of lines that are not reports. */
  readonly malformed: number;
}

const maxLines = 200;
const maxLineLength = 4_096;
const maxKeys = 64;
const maxSessionIdLength = 64;

/** @param body lines of `key=value` lists, each parsed alone; lines beyond the limit are ignored */
export function readReports(body: string): ReadReports {
  const lines = body.split(/\r?\n/, maxLines + 1).filter((line) => line.trim() !== '');
  const reports = lines.slice(0, maxLines).flatMap((line) => readReport(line) ?? []);
  return { reports, malformed: lines.length - reports.length };
}

function readReport(line: string): PlayerReport | null {
  const values = line.length > maxLineLength ? null : readKeys(line.trim());
  if (!values) return null;
  const [sessionId, at, sequence, state] = ['sid', 'ts', 'sn', 'sta'].map((key) => values.get(key));
  if (typeof sessionId !== 'string' || sessionId === '' || sessionId.length > maxSessionIdLength) return null;
  if (typeof at !== 'number' || !Number.isSafeInteger(at) || at < 0) return null;
  return {
    sessionId,
    at,
    sequence: typeof sequence === 'number' && Number.isSafeInteger(sequence) ? sequence : null,
    state: isState(state) ? playerStates[state] : null,
    ...readMeasures(values),
  };
}

/** Object types that are media. Requests for others, such as playlists, say less and come at other times. */
const mediaTypes: ReadonlySet<CmcdValue | undefined> = new Set([undefined, 'v', 'a', 'av']);

/**
 * Reads the report in a request for media (request mode of versions 1 and 2), which tells that a stall happened but not
 * its duration.
 * @param keys all its keys, in one list
 * @param at Unix milliseconds
 */
export function readRequestReports(keys: string, at: number): readonly PlayerReport[] {
  const values = keys.length > maxLineLength ? null : readKeys(keys.trim());
  const sessionId = values?.get('sid');
  if (!values || typeof sessionId !== 'string' || sessionId === '' || sessionId.length > maxSessionIdLength)
    return [];
  if (!mediaTypes.has(values.get('ot'))) return [];
  const report = (state: PlayerState): PlayerReport => ({
    sessionId,
    at,
    sequence: null,
    ofRequest: true,
    state,
    ...readMeasures(values),
  });
  const state = requestState(values);
  return values.get('bs') === true ? [report('rebuffering'), report(state)] : [report(state)];
}

function requestState(values: ReadonlyMap<string, CmcdValue>): PlayerState {
  const state = values.get('sta');
  if (isState(state)) return playerStates[state];
  if (values.get('pr') === 0) return 'paused';
  return values.get('su') === true ? 'starting' : 'playing';
}

const measures = { latencyMs: 'ltc', throughputKbps: 'mtp', lowestKbps: 'lb', height: heightKey } as const;
const maxMeasure = 100_000_000;

function readMeasures(values: ReadonlyMap<string, CmcdValue>) {
  const measureEntries = Object.entries(measures).flatMap(([name, measure]) => {
    const value = numberIn(values.get(measure));
    return value === null || value <= 0 || value > maxMeasure ? [] : [[name, value]];
  });
  return Object.fromEntries(measureEntries) as Partial<Record<keyof typeof measures, number>>;
}

/** The number; in a list, the one marked as video, or the first. Custom keys have string values only. */
function numberIn(value: CmcdValue | undefined): number | null {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return null;
  if (/^\d{1,9}$/.test(value)) return Number(value);
  if (!value.startsWith('(')) return null;
  const digits = /(?<=[( ])\d{1,15}(?:\.\d{1,3})?(?=;v)/.exec(value) ?? /(?<=[( ])\d{1,15}/.exec(value);
  return digits ? Number(digits[0]) : null;
}

function isState(value: CmcdValue | undefined): value is keyof typeof playerStates {
  return typeof value === 'string' && Object.hasOwn(playerStates, value);
}

const key = '[a-z*][a-z0-9_.*-]{0,63}';
const bare = String.raw`"(?:[^"\\]|\\["\\])*"|-?\d{1,15}(?:\.\d{1,3})?|[A-Za-z*][\w!#$%&'*+.^|~:/\`-]*|\?[01]`;
const parameters = `(?:; *${key}(?:=(?:${bare}))?)*`;
/** Inner lists of version 2: values of several tracks. */
const list = String.raw`\( *(?:(?:${bare})${parameters} *)*\)`;
const member = new RegExp(`(${key})(?:=(${bare}|${list}))?${parameters}(?: *, *|$)`, 'y');

/**
 * The keys of a dictionary (RFC 8941, section 3.2) without parameters; an inner list stays text. Null for invalid input.
 */
function readKeys(line: string): Map<string, CmcdValue> | null {
  const values = new Map<string, CmcdValue>();
  member.lastIndex = 0;
  while (member.lastIndex < line.length) {
    const match = member.exec(line);
    if (!match?.[1] || values.size >= maxKeys) return null;
    values.set(match[1], valueOf(match[2]));
  }
  return values;
}

function valueOf(text: string | undefined): CmcdValue {
  if (text === undefined || text === '?1') return true;
  if (text === '?0') return false;
  if (text.startsWith('"')) return text.slice(1, -1).replaceAll(/\\(["\\])/g, '$1');
  return /^-?\d/.test(text) ? Number(text) : text;
}
