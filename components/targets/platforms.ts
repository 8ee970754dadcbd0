import type { Translator } from '@/components/i18n/messages';
import { isWhipUrl } from '@/lib/core/targets/whip-url';

/** Platform that streams can be sent to. The stream key is appended to the URL of its ingest server. */
interface Platform {
  readonly value: string;
  /** Name of the platform; null for a custom one. */
  readonly label: string | null;
  /** Server URL without the key; null: the user enters the whole URL. */
  readonly server: string | null;
  /** Format of the stream keys of the platform; null: unknown. */
  readonly keyPattern: RegExp | null;
  /** Text in the empty field. */
  readonly example: string;
}

export const platforms = [
  {
    value: 'youtube',
    label: 'YouTube',
    server: 'rtmps://a.rtmps.youtube.com/live2',
    keyPattern: /^[a-z0-9]{4}(-[a-z0-9]{4}){3,4}$/,
    example: 'abcd-efgh-ijkl-mnop-qrst',
  },
  {
    value: 'twitch',
    label: 'Twitch',
    server: 'rtmp://live.twitch.tv/app',
    keyPattern: /^live_\d+_\w+$/,
    example: 'live_123456789_AbCdEf',
  },
  {
    value: 'facebook',
    label: 'Facebook',
    server: 'rtmps://live-api-s.facebook.com:443/rtmp',
    keyPattern: /^FB-\d+-\d+-\S+$/,
    example: 'FB-1234567890-0-AbCdEf',
  },
  {
    value: 'custom',
    label: null,
    server: null,
    keyPattern: null,
    example: 'rtmp://live.example.com/app/key',
  },
] as const satisfies readonly Platform[];

export type PlatformName = (typeof platforms)[number]['value'];

export function platformOf(value: PlatformName): (typeof platforms)[number] {
  const chosenPlatform = platforms.find((platform) => platform.value === value);
  if (!chosenPlatform) throw new Error(`No such platform: ${value}`);
  return chosenPlatform;
}

/** Whether the form asks for a bearer token: for the URL of a WHIP endpoint that does not include one. */
export const needsToken = ({ server }: Platform, secret: string): boolean =>
  server === null && isWhipUrl(secret.trim()) && !secret.includes('#');

/**
 * URL of a target: the server with the stream key, or the entered URL with the bearer token of a WHIP endpoint after `#`.
 * @param secret stream key of a known platform; otherwise the whole URL
 */
export function targetUrl(platform: Platform, secret: string, token = ''): string {
  const trimmedSecret = secret.trim();
  if (platform.server !== null) return `${platform.server}/${trimmedSecret}`;
  const trimmedToken = token.trim();
  return trimmedToken !== '' && needsToken(platform, secret)
    ? `${trimmedSecret}#${trimmedToken}`
    : trimmedSecret;
}

/**
 * Warning about an unusual key; null without one. It does not prevent saving, because platforms change the formats of
 * their keys.
 */
export function keyWarning(
  t: Translator<'targets.platforms'>,
  { keyPattern, label, server }: Platform,
  secret: string,
): string | null {
  const trimmedSecret = secret.trim();
  if (trimmedSecret === '' || keyPattern === null || label === null || server === null) return null;
  if (/^(rtmps?|srt|https?):\/\//.test(trimmedSecret)) return t('keyOnly');
  return keyPattern.test(trimmedSecret) ? null : t('unlikelyKey', { platform: label });
}
