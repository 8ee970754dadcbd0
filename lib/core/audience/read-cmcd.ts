/** Player reports in Common Media Client Data, version 2 (CTA-5004-B). */

type CmcdValue = string | number | boolean;

/** Names of the values of the CMCD key `sta`. */
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

/** One event of a view, as its player reports it. */
export interface PlayerReport {
  /** Random id that the player chose for the view. */
  readonly sessionId: string;
  /** Unix milliseconds of the player's clock. */
  readonly playerTimeMs: number;
  /** Rises with each report of a view; null if the player does not count. */
  readonly sequence: number | null;
  /** Null if the report has no state. */
  readonly state: PlayerState | null;
  /** Milliseconds from the camera to the screen. */
  readonly latencyMs?: number;
  /** The measured throughput, and the bitrate of the lowest rendition. */
  readonly throughputKbps?: number;
  readonly lowestKbps?: number;
  /** Milliseconds of media in the buffer ahead of the playhead. */
  readonly bufferMs?: number;
  /** Whether the report came with a request for media, not as an event. */
  readonly isFromRequest?: true;
  /** Whether the edge that forwarded the report had waited for its origin in the seconds before it. */
  readonly edgeWaited?: boolean;
  /** Picture height in lines, in a custom key because CMCD has none. */
  readonly height?: number;
}

/** Custom keys have a prefix (CTA-5004-B). */
export const heightKey = 'com.headwater-height';

interface ParsedReports {
  readonly reports: readonly PlayerReport[];
  /** Number of lines that are not reports. */
  readonly malformedCount: number;
}

const MAX_LINES = 200;
const MAX_LINE_LENGTH = 4_096;
const MAX_KEYS = 64;
const MAX_SESSION_ID_LENGTH = 64;

/**
 * Parses the reports of players. An invalid line does not affect the others; lines beyond the maximum number are ignored.
 * @param body lines, each a list of `key=value` pairs
 */
export function parseReports(body: string): ParsedReports {
  const lines = body.split(/\r?\n/, MAX_LINES + 1).filter((line) => line.trim() !== '');
  const reports = lines.slice(0, MAX_LINES).flatMap((line) => parseReport(line) ?? []);
  return { reports, malformedCount: lines.length - reports.length };
}

function parseReport(line: string): PlayerReport | null {
  const values = line.length > MAX_LINE_LENGTH ? null : parseDictionary(line.trim());
  if (!values) return null;
  const [sessionId, playerTimeMs, sequence, state] = ['sid', 'ts', 'sn', 'sta'].map((key) => values.get(key));
  if (typeof sessionId !== 'string' || sessionId === '' || sessionId.length > MAX_SESSION_ID_LENGTH)
    return null;
  if (typeof playerTimeMs !== 'number' || !Number.isSafeInteger(playerTimeMs) || playerTimeMs < 0)
    return null;
  return {
    sessionId,
    playerTimeMs,
    sequence: typeof sequence === 'number' && Number.isSafeInteger(sequence) ? sequence : null,
    state: isState(state) ? playerStates[state] : null,
    ...parseMeasurements(values),
  };
}

/** Object types that are media. Requests for other types, such as playlists, are not reports about playback. */
const mediaTypes: ReadonlySet<CmcdValue | undefined> = new Set([undefined, 'v', 'a', 'av']);

/**
 * Parses the keys of a request for media (request mode of CMCD versions 1 and 2) as reports. They tell that a stall
 * happened, but not its duration.
 * @param keys all keys of the request in one list
 * @param requestedAtMs time of the request, in Unix milliseconds
 * @returns the report, after a report of a stall if the request has the key `bs`; empty for other requests
 */
export function parseRequestReports(keys: string, requestedAtMs: number): readonly PlayerReport[] {
  const values = keys.length > MAX_LINE_LENGTH ? null : parseDictionary(keys.trim());
  const sessionId = values?.get('sid');
  if (
    !values ||
    typeof sessionId !== 'string' ||
    sessionId === '' ||
    sessionId.length > MAX_SESSION_ID_LENGTH
  )
    return [];
  if (!mediaTypes.has(values.get('ot'))) return [];
  const reportWith = (state: PlayerState): PlayerReport => ({
    sessionId,
    playerTimeMs: requestedAtMs,
    sequence: null,
    isFromRequest: true,
    state,
    ...parseMeasurements(values),
  });
  const state = requestState(values);
  return values.get('bs') === true ? [reportWith('rebuffering'), reportWith(state)] : [reportWith(state)];
}

function requestState(values: ReadonlyMap<string, CmcdValue>): PlayerState {
  const state = values.get('sta');
  if (isState(state)) return playerStates[state];
  if (values.get('pr') === 0) return 'paused';
  return values.get('su') === true ? 'starting' : 'playing';
}

/** CMCD keys of the measurements. Times are in milliseconds, rates in kilobits per second. */
const keysOfMeasurements = {
  latencyMs: 'ltc',
  throughputKbps: 'mtp',
  lowestKbps: 'lb',
  bufferMs: 'bl',
  height: heightKey,
} as const;
/** Maximum value of a measurement; a larger one is an error of the player and is ignored. */
const MAX_MEASUREMENT = 100_000_000;

function parseMeasurements(values: ReadonlyMap<string, CmcdValue>) {
  const measurementEntries = Object.entries(keysOfMeasurements).flatMap(([name, key]) => {
    const value = parseNumber(values.get(key));
    const isValid =
      value !== null && value <= MAX_MEASUREMENT && (value > 0 || (value === 0 && name === 'bufferMs'));
    return isValid ? [[name, value]] : [];
  });
  return Object.fromEntries(measurementEntries) as Partial<Record<keyof typeof keysOfMeasurements, number>>;
}

/**
 * The number of a value; in a list, the number that is marked as video, or else the first one. Custom keys have text values
 * only, so a text of digits counts as a number.
 */
function parseNumber(value: CmcdValue | undefined): number | null {
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

// The patterns below follow the grammar of structured fields (RFC 8941, section 3). Their repetitions are bounded or can't
// overlap, so that no input makes the match slow.
const keyPattern = '[a-z*][a-z0-9_.*-]{0,63}';
const bareItemPattern = String.raw`"(?:[^"\\]|\\["\\])*"|-?\d{1,15}(?:\.\d{1,3})?|[A-Za-z*][\w!#$%&'*+.^|~:/\`-]*|\?[01]`;
const parametersPattern = `(?:; *${keyPattern}(?:=(?:${bareItemPattern}))?)*`;
/** Pattern of the inner lists of version 2, which have the values of several tracks. */
const innerListPattern = String.raw`\( *(?:(?:${bareItemPattern})${parametersPattern} *)*\)`;
const memberPattern = new RegExp(
  `(${keyPattern})(?:=(${bareItemPattern}|${innerListPattern}))?${parametersPattern}(?: *, *|$)`,
  'y',
);

/**
 * Parses a dictionary (RFC 8941, section 3.2). Parameters are dropped, and an inner list is kept as text. Null for invalid
 * input.
 */
function parseDictionary(line: string): Map<string, CmcdValue> | null {
  const values = new Map<string, CmcdValue>();
  memberPattern.lastIndex = 0;
  while (memberPattern.lastIndex < line.length) {
    const match = memberPattern.exec(line);
    if (!match?.[1] || values.size >= MAX_KEYS) return null;
    values.set(match[1], parseValue(match[2]));
  }
  return values;
}

function parseValue(text: string | undefined): CmcdValue {
  if (text === undefined || text === '?1') return true;
  if (text === '?0') return false;
  if (text.startsWith('"')) return text.slice(1, -1).replaceAll(/\\(["\\])/g, '$1');
  return /^-?\d/.test(text) ? Number(text) : text;
}
