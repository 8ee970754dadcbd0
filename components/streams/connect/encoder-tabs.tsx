import { CodeBlock, quoted, readCurl, readNode } from '@/components/ui/copy/code-block';
import { CopyField } from '@/components/ui/copy/copy-field';
import { SecretField, mask } from '@/components/ui/copy/secret-field';
import { Tabs } from '@/components/ui/tabs';

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
    `  -d '{"name": "My first stream", "record": true}'`,
  ].join(' \\\n');
}

interface EncoderTabsProps {
  rtmpUrl: string;
  streamKey: string;
}

/** How to send video from ffmpeg and OBS, with the real address and key: shown masked, copied whole. */
export function EncoderTabs({ rtmpUrl, streamKey }: EncoderTabsProps) {
  const masked = mask(streamKey);
  return (
    <Tabs
      label="Encoder"
      tabs={[
        {
          value: 'ffmpeg',
          label: 'ffmpeg',
          content: (
            <div className="grid gap-3">
              <p className="text-ink-2">
                Sends a test card with tone. The copied command contains your stream key.
              </p>
              <CodeBlock
                label="ffmpeg command"
                code={testCardCommand(rtmpUrl, streamKey)}
                shown={testCardCommand(rtmpUrl, masked)}
              />
            </div>
          ),
        },
        {
          value: 'obs',
          label: 'OBS Studio',
          content: <ObsSettings rtmpUrl={rtmpUrl} streamKey={streamKey} />,
        },
        {
          value: 'file',
          label: 'Video file',
          content: (
            <div className="grid gap-3">
              <p className="text-ink-2">Streams a file in a loop, as if it were live.</p>
              <CodeBlock
                label="ffmpeg command"
                code={fileCommand(rtmpUrl, streamKey)}
                shown={fileCommand(rtmpUrl, masked)}
              />
            </div>
          ),
        },
      ]}
    />
  );
}

const obsOutput = [
  ['Encoder', 'x264 or hardware H.264'],
  ['Rate control', 'CBR, 2500–6000 kbit/s'],
  ['Keyframe interval', '2 s'],
  ['Audio', 'AAC, 128–160 kbit/s'],
] as const;

function ObsSettings({ rtmpUrl, streamKey }: EncoderTabsProps) {
  return (
    <div className="grid gap-4">
      <p className="text-ink-2">
        In OBS open <b className="text-ink font-medium">Settings → Stream</b>, choose the service{' '}
        <b className="text-ink font-medium">Custom…</b> and fill in:
      </p>
      <CopyField label="Server" value={rtmpUrl} />
      <SecretField label="Stream key" value={streamKey} />
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-1 text-sm">
        {obsOutput.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-ink-2">{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
