/** Where and how a stream is handed to another service, taken apart from the URL of a multistream target. */
export type PushDestination = RtmpDestination | SrtDestination;

export interface RtmpDestination {
  readonly kind: 'rtmp';
  readonly tls: boolean;
  readonly host: string;
  readonly port: number;
  /** Everything before the key, as platforms print it: `rtmp://host/app`. */
  readonly serverUrl: string;
  readonly app: string;
  /** The stream key, query included: a secret. */
  readonly key: string;
}

export interface SrtDestination {
  readonly kind: 'srt';
  readonly host: string;
  readonly port: number;
  /** Secrets among them: streamid and passphrase. */
  readonly options: Readonly<Partial<Record<SrtOption, string>>>;
}

/** Options that describe the receiver. `mode` can't be chosen: we are always the caller. */
const srtOptions = ['streamid', 'passphrase', 'pbkeylen', 'latency'] as const;
export type SrtOption = (typeof srtOptions)[number];

/** Longer values are cut by ffmpeg without a word. */
const longestPart = 500;

/**
 * @param url one that targetUrlFault lets pass
 * @returns why it cannot be used, as text, where its parts make no sense together
 */
export function pushDestination(url: string): PushDestination | string {
  const [, scheme = '', rest = ''] = /^(rtmps?|srt):\/\/(.+)$/.exec(url) ?? [];
  if (scheme === '' || !URL.canParse(`http://${rest}`)) return 'the url is not valid';
  // As for targetUrlFault: hosts of unknown schemes would be left as they are written.
  const { hostname: host, port: httpPort } = new URL(`http://${rest}`);
  const port = Number(httpPort === '' ? new URL(`https://${rest}`).port : httpPort);
  if (scheme === 'srt') return srtDestination(host, port, rest);
  const tls = scheme === 'rtmps';
  return rtmpDestination({ tls, host, port: port || (tls ? 443 : 1935) }, rest);
}

function rtmpDestination(
  { tls, host, port }: { readonly tls: boolean; readonly host: string; readonly port: number },
  rest: string,
): RtmpDestination | string {
  const address = /^[^/?#]*/.exec(rest)?.[0] ?? '';
  const path = rest.slice(address.length).replace(/^\/+/, '');
  // The query belongs to the key; a slash inside it separates nothing.
  const query = path.search(/[?#]/);
  const plain = query === -1 ? path : path.slice(0, query);
  const cut = plain.lastIndexOf('/');
  const app = cut === -1 ? path : path.slice(0, cut).replace(/\/+$/, '');
  const key = cut === -1 ? '' : path.slice(cut + 1);
  if (app === '') return 'the url has no application; it must look like rtmp://host/app/key';
  if (app.length > longestPart || key.length > longestPart) {
    return `application and key of the url are at most ${longestPart} characters long`;
  }
  const serverUrl = `${tls ? 'rtmps' : 'rtmp'}://${address}/${app}`;
  return { kind: 'rtmp', tls, host, port, serverUrl, app, key };
}

function srtDestination(host: string, port: number, rest: string): SrtDestination | string {
  const query = new URLSearchParams(/\?([^#]*)/.exec(rest)?.[1] ?? '');
  if ((query.get('mode') ?? 'caller') !== 'caller') return 'mode of an srt url must be "caller"';
  const options: Partial<Record<SrtOption, string>> = {};
  for (const name of srtOptions) {
    const value = query.get(name);
    if (value === null || value === '') continue;
    // Handed to ffmpeg as lines of text.
    if (value.length > longestPart || /\p{Cc}/u.test(value)) return `${name} of the srt url is not valid`;
    options[name] = value;
  }
  return { kind: 'srt', host, port, options };
}

/** The parts of a destination that must appear in no message. */
export function secretsOf(destination: PushDestination): string[] {
  if (destination.kind === 'srt') {
    const { streamid, passphrase } = destination.options;
    return [streamid, passphrase].filter((secret) => secret !== undefined);
  }
  const { key } = destination;
  return [key, key.replace(/\?.*$/, '')].filter((secret) => secret !== '');
}
