import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { CodeBlock } from '@/components/ui/copy/code-block';
import { CopyField } from '@/components/ui/copy/copy-field';
import { SecretField, mask } from '@/components/ui/copy/secret-field';
import { lazyTab } from '@/components/ui/lazy-tab';
import { type Tab, Tabs } from '@/components/ui/tabs';
import type { PublicUrls } from '@/lib/client/queries/public-urls';
import {
  fileCommand,
  gstreamerCommand,
  larixLink,
  testPatternCommand,
} from '@/lib/core/streams/encoder-commands';

const phoneTab = lazyTab(async () => (await import('./phone-setup')).PhoneSetup, 'panel');
const hardwareTab = lazyTab(async () => (await import('./hardware-setup')).HardwareSetup, 'panel');

interface EncoderSetupProps {
  urls: Pick<PublicUrls, 'rtmp' | 'rtmps'>;
  streamKey: string;
  /** Name of the stream. */
  name: string;
  /** Control beside the label of the stream key. */
  keyAction?: ReactNode;
  /** Button that goes live from the browser, without an encoder. */
  browserAction?: ReactNode;
  /** Tabs for other ways to publish. */
  otherTabs?: readonly Tab<string>[];
}

/**
 * Server, stream key and instructions for each encoder. The key is masked in displayed commands, but not in copied
 * commands.
 */
export function EncoderSetup(props: EncoderSetupProps) {
  const { urls, streamKey, name, keyAction, browserAction, otherTabs = [] } = props;
  const t = useTranslations('streams.encoderSetup');
  const maskedKey = mask(streamKey);
  // All encoders below but hardware encoders support TLS, which protects the stream key.
  const rtmpUrl = urls.rtmps ?? urls.rtmp;
  return (
    <div className="grid min-w-0 gap-5">
      <div className="grid min-w-0 gap-3 sm:max-xl:grid-cols-2">
        <CopyField label={t('server')} value={rtmpUrl} />
        <SecretField label={t('streamKey')} value={streamKey} aside={keyAction} copyText={t('copyKey')} />
        {rtmpUrl !== urls.rtmp && <CopyField label={t('serverWithoutTls')} value={urls.rtmp} />}
      </div>
      {browserAction}
      <Tabs
        label={t('encoder')}
        tabs={[
          {
            value: 'ffmpeg',
            label: 'ffmpeg',
            content: (
              <Command
                label={t('ffmpegCommand')}
                code={testPatternCommand(rtmpUrl, streamKey)}
                maskedCode={testPatternCommand(rtmpUrl, maskedKey)}
                about={t('sendsTestPattern')}
              />
            ),
          },
          { value: 'obs', label: 'OBS Studio', content: <ObsSettings /> },
          {
            value: 'gstreamer',
            label: 'GStreamer',
            content: (
              <Command
                label={t('gstreamerCommand')}
                code={gstreamerCommand(rtmpUrl, streamKey)}
                maskedCode={gstreamerCommand(rtmpUrl, maskedKey)}
                about={t('sendsTestPattern')}
              />
            ),
          },
          {
            value: 'file',
            label: t('videoFile'),
            content: (
              <Command
                label={t('ffmpegCommand')}
                code={fileCommand(rtmpUrl, streamKey)}
                maskedCode={fileCommand(rtmpUrl, maskedKey)}
                about={t('fileInALoop')}
              />
            ),
          },
          {
            value: 'phone',
            label: t('phone'),
            content: <phoneTab.Content url={rtmpUrl} link={larixLink(rtmpUrl, streamKey, name)} />,
            onIntent: phoneTab.prefetch,
          },
          {
            value: 'hardware',
            label: t('hardware'),
            content: <hardwareTab.Content rtmpUrl={urls.rtmp} />,
            onIntent: hardwareTab.prefetch,
          },
          ...otherTabs,
        ]}
      />
    </div>
  );
}

/** A command with a text that explains it. */
function Command({ about, ...code }: { about: string; label: string; code: string; maskedCode: string }) {
  return (
    <div className="grid gap-3">
      <p className="text-ink-2">{about}</p>
      <CodeBlock {...code} />
    </div>
  );
}

function ObsSettings() {
  const t = useTranslations('streams.encoderSetup');
  // Names of the settings in OBS.
  const outputSettings = [
    ['Encoder', t('obsEncoder')],
    ['Rate control', 'CBR, 2500–6000 kbit/s'],
    ['Keyframe interval', '2 s'],
    ['Audio', 'AAC, 128–160 kbit/s'],
  ] as const;
  return (
    <div className="grid gap-4">
      <p className="text-ink-2">
        {t.rich('obs', { b: (name) => <b className="text-ink font-medium">{name}</b> })}
      </p>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-1 text-sm">
        {outputSettings.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-ink-2">{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
