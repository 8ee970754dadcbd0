import type { ReactNode } from 'react';
import { CodeBlock } from '@/components/ui/copy/code-block';
import { CopyField } from '@/components/ui/copy/copy-field';
import { SecretField, mask } from '@/components/ui/copy/secret-field';
import { Tabs } from '@/components/ui/tabs';
import { fileCommand, testCardCommand } from './encoder-commands';
import { PhoneSetup } from './phone-setup';

interface EncoderSetupProps {
  rtmpUrl: string;
  streamKey: string;
  /** Name of the stream. */
  name: string;
  /** Beside the label of the stream key. */
  keyAction?: ReactNode;
}

/** Server, stream key and instructions for each encoder. Commands show the key masked and copy it in full. */
export function EncoderSetup({ rtmpUrl, streamKey, name, keyAction }: EncoderSetupProps) {
  const masked = mask(streamKey);
  return (
    <div className="grid min-w-0 gap-5">
      <div className="grid min-w-0 gap-3 sm:max-xl:grid-cols-2">
        <CopyField label="Server" value={rtmpUrl} />
        <SecretField label="Stream key" value={streamKey} aside={keyAction} />
      </div>
      <Tabs
        label="Encoder"
        tabs={[
          {
            value: 'ffmpeg',
            label: 'ffmpeg',
            content: (
              <Command
                code={testCardCommand(rtmpUrl, streamKey)}
                shown={testCardCommand(rtmpUrl, masked)}
                about="Sends a test card with tone. The copied command contains your stream key."
              />
            ),
          },
          { value: 'obs', label: 'OBS Studio', content: <ObsSettings /> },
          {
            value: 'file',
            label: 'Video file',
            content: (
              <Command
                code={fileCommand(rtmpUrl, streamKey)}
                shown={fileCommand(rtmpUrl, masked)}
                about="Streams a file in a loop, as if it were live. The copied command contains your stream key."
              />
            ),
          },
          {
            value: 'phone',
            label: 'Phone',
            content: <PhoneSetup rtmpUrl={rtmpUrl} streamKey={streamKey} name={name} />,
          },
        ]}
      />
    </div>
  );
}

function Command({ about, ...code }: { about: string; code: string; shown: string }) {
  return (
    <div className="grid gap-3">
      <p className="text-ink-2">{about}</p>
      <CodeBlock label="ffmpeg command" {...code} />
    </div>
  );
}

const obsOutput = [
  ['Encoder', 'x264 or hardware H.264'],
  ['Rate control', 'CBR, 2500–6000 kbit/s'],
  ['Keyframe interval', '2 s'],
  ['Audio', 'AAC, 128–160 kbit/s'],
] as const;

function ObsSettings() {
  return (
    <div className="grid gap-4">
      <p className="text-ink-2">
        In OBS Studio, open <b className="text-ink font-medium">Settings → Stream</b>, choose the service{' '}
        <b className="text-ink font-medium">Custom…</b> and paste the server and the stream key. Then set in{' '}
        <b className="text-ink font-medium">Settings → Output</b>:
      </p>
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
