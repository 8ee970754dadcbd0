import { quoted, readCurl, readNode } from '@/components/ui/api-commands';

/** A command that publishes a generated test card with tone: needs nothing but ffmpeg. */
export function testCardCommand(rtmpUrl: string, streamKey: string): string {
  return [
    'ffmpeg -re -f lavfi -i testsrc2=size=1280x720:rate=30',
    '  -f lavfi -i sine=frequency=440:sample_rate=48000',
    '  -c:v libx264 -preset veryfast -tune zerolatency -pix_fmt yuv420p',
    '  -b:v 2500k -g 60 -c:a aac -b:a 128k',
    `  -f flv ${quoted(`${rtmpUrl}/${streamKey}`)}`,
  ].join(' \\\n');
}

/** A command that publishes a file over and over, as if it were live. */
export function fileCommand(rtmpUrl: string, streamKey: string): string {
  return [
    'ffmpeg -re -stream_loop -1 -i video.mp4',
    '  -c:v libx264 -preset veryfast -pix_fmt yuv420p -b:v 2500k -g 60',
    '  -c:a aac -b:a 128k',
    `  -f flv ${quoted(`${rtmpUrl}/${streamKey}`)}`,
  ].join(' \\\n');
}

/** Two spellings of "give me this stream" for developers. */
export const readStreamCurl = (baseUrl: string, id: string): string =>
  readCurl(`${baseUrl}/api/stream/${id}`);

export const readStreamNode = (baseUrl: string, id: string): string =>
  readNode(`${baseUrl}/api/stream/${id}`, 'stream', "stream.isActive ? 'live' : 'idle'");

/** A call that needs nothing but this key: the newest streams. */
export function listStreamsCurl(baseUrl: string, secret: string): string {
  return [`curl ${quoted(`${baseUrl}/api/stream`)}`, `  -H 'Authorization: Bearer ${secret}'`].join(' \\\n');
}

export function createStreamCurl(baseUrl: string): string {
  return [
    `curl -X POST ${quoted(`${baseUrl}/api/stream`)}`,
    '  -H "Authorization: Bearer $HEADWATER_API_KEY"',
    '  -H "Content-Type: application/json"',
    `  -d '{"name": "My first stream"}'`,
  ].join(' \\\n');
}
