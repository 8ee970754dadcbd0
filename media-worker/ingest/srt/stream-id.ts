import { streamKeyOf } from '@/media-worker/ingest/publisher/ask-admission';

const STANDARD_PREFIX = '#!::';
const PUBLISH_ACTIONS: ReadonlySet<string> = new Set(['publish', 'input']);
const OTHER_ACTIONS: ReadonlySet<string> = new Set(['read', 'request', 'play', 'output', 'bidirectional']);

/** The request in the stream id of a caller. */
export interface StreamIdRequest {
  /** Empty if the stream id has no key. */
  readonly streamKey: string;
  /** Whether the caller wants to publish. False if it wants to play, or to play and publish. */
  readonly isPublish: boolean;
}

/**
 * Parses a stream id in the forms that encoders use and people type: the key alone, after `live/` or `publish:`,
 * or in the standard form `#!::r=key,m=publish` (SRT Access Control Guidelines).
 */
export function parseStreamId(text: string): StreamIdRequest {
  const id = text.trim();
  if (id.startsWith(STANDARD_PREFIX)) return parseStandardForm(id.slice(STANDARD_PREFIX.length));
  const [word = '', name] = id.split(':');
  const action = word.toLowerCase();
  const hasAction = name !== undefined && (PUBLISH_ACTIONS.has(action) || OTHER_ACTIONS.has(action));
  return {
    streamKey: streamKeyOf(hasAction ? name : id, ''),
    isPublish: !hasAction || PUBLISH_ACTIONS.has(action),
  };
}

/** Parses the standard form. Without a mode, the caller publishes, because this server supports nothing else. */
function parseStandardForm(pairList: string): StreamIdRequest {
  const values = new Map(
    pairList.split(',').map((pair): [string, string] => {
      const index = pair.indexOf('=');
      return index === -1 ? ['', ''] : [pair.slice(0, index).trim(), pair.slice(index + 1).trim()];
    }),
  );
  return {
    streamKey: streamKeyOf(values.get('r') ?? '', ''),
    isPublish: (values.get('m') ?? 'publish') === 'publish',
  };
}
