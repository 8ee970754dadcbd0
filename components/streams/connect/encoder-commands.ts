import { quote } from '@/components/ui/copy/sample-code';

/** A command that publishes a generated test card with tone. */
export const testCardCommand = (rtmpUrl: string, streamKey: string): string =>
  publishTestCard('flv', `${rtmpUrl}/${streamKey}`);

/** ffmpeg command for SRT. @param url with stream id and passphrase */
export const srtCommand = (url: string): string => publishTestCard('mpegts', url);

function publishTestCard(format: string, url: string): string {
  return [
    'ffmpeg -re -f lavfi -i testsrc2=size=1280x720:rate=30',
    '  -f lavfi -i sine=frequency=440:sample_rate=48000',
    '  -c:v libx264 -preset veryfast -tune zerolatency',
    '  -pix_fmt yuv420p -b:v 2500k -g 60',
    '  -c:a aac -b:a 128k',
    `  -f ${format} ${quote(url)}`,
  ].join(' \\\n');
}

/** A command that publishes a file in a loop. */
export function fileCommand(rtmpUrl: string, streamKey: string): string {
  return [
    'ffmpeg -re -stream_loop -1 -i video.mp4',
    '  -c:v libx264 -preset veryfast -pix_fmt yuv420p',
    '  -b:v 2500k -g 60 -c:a aac -b:a 128k',
    `  -f flv ${quote(`${rtmpUrl}/${streamKey}`)}`,
  ].join(' \\\n');
}

/**
 * A link that sets up the Larix Broadcaster app for this stream (https://softvelum.com/larix/grove/). An existing connection
 * of the same name is replaced.
 */
export function larixLink(rtmpUrl: string, streamKey: string, name: string): string {
  // A longer name makes the QR code hard to scan.
  const shortName = Array.from(name).slice(0, 40).join('');
  const values = { url: `${rtmpUrl}/${streamKey}`, name: shortName, overwrite: 'on' };
  const query = Object.entries(values).map(([key, value]) => `conn[][${key}]=${encodeURIComponent(value)}`);
  return `larix://set/v1?${query.join('&')}`;
}

/** Whether the address is only reachable from the server itself. */
export function isLoopback(rtmpUrl: string): boolean {
  // Browsers parse the host of http URLs only.
  const { hostname } = new URL(rtmpUrl.replace(/^\w+:/, 'http:'));
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
}
