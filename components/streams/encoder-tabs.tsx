import { CodeBlock } from '@/components/ui/code-block';
import { CopyField } from '@/components/ui/copy-field';
import { mask } from '@/components/ui/mask';
import { SecretField } from '@/components/ui/secret-field';
import { Tabs } from '@/components/ui/tabs';
import { fileCommand, testCardCommand } from './encoder-commands';

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
