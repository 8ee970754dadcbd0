/** Where a platform takes streams; the key comes behind it. */
interface Platform {
  readonly value: string;
  readonly label: string;
  /** Without the key; null = the person gives the whole url. */
  readonly server: string | null;
  /** Where the person finds the key. */
  readonly hint: string;
  /** What a key of this platform looks like. */
  readonly key: RegExp | null;
  readonly example: string;
}

export const platforms = [
  {
    value: 'youtube',
    label: 'YouTube',
    server: 'rtmps://a.rtmps.youtube.com/live2',
    hint: 'In YouTube Studio: Create → Go live → Stream.',
    key: /^[a-z0-9]{4}(-[a-z0-9]{4}){3,4}$/,
    example: 'abcd-efgh-ijkl-mnop-qrst',
  },
  {
    value: 'twitch',
    label: 'Twitch',
    server: 'rtmp://live.twitch.tv/app',
    hint: 'In the creator dashboard: Settings → Stream → Primary stream key.',
    key: /^live_\d+_\w+$/,
    example: 'live_123456789_AbCdEf',
  },
  {
    value: 'facebook',
    label: 'Facebook',
    server: 'rtmps://live-api-s.facebook.com:443/rtmp',
    hint: 'In Live Producer: Streaming software → Stream key.',
    key: /^FB-\d+-\d+-\S+$/,
    example: 'FB-1234567890-0-AbCdEf',
  },
  {
    value: 'custom',
    label: 'Custom',
    server: null,
    hint: 'rtmp://, rtmps:// or srt://, including the stream key.',
    key: null,
    example: 'rtmp://live.example.com/app/key',
  },
] as const satisfies readonly Platform[];

export type PlatformName = (typeof platforms)[number]['value'];

export function platformOf(value: PlatformName): Platform {
  const found = platforms.find((platform) => platform.value === value);
  if (!found) throw new Error(`No such platform: ${value}`);
  return found;
}

/** The url of a target: server and key, or what was given as a whole. */
export function targetUrl({ server }: Platform, secret: string): string {
  const given = secret.trim();
  return server === null ? given : `${server}/${given}`;
}

/** What is odd about a key. It is no refusal: platforms change what their keys look like. */
export function keyDoubt({ key, label, server }: Platform, secret: string): string | null {
  const given = secret.trim();
  if (given === '' || key === null || server === null) return null;
  if (/^(rtmps?|srt):\/\//.test(given)) return 'Enter only the stream key, not the URL.';
  return key.test(given) ? null : `This does not look like a ${label} stream key.`;
}
