'use client';

import { useTranslations } from 'use-intl';
import { useSaveFailed } from '@/components/streams/settings/use-save-failed';
import { CodeBlock } from '@/components/ui/copy/code-block';
import { CopyField } from '@/components/ui/copy/copy-field';
import { mask, SecretField } from '@/components/ui/copy/secret-field';
import { SwitchRow } from '@/components/ui/form/toggle';
import { useUpdateStream } from '@/lib/client/queries/stream-queries';
import type { Stream } from '@/lib/contract/streams/stream';
import { srtPublishUrl } from '@/lib/core/streams/srt-passphrase';
import {
  gstreamerSrtCommand,
  larixSrtLink,
  srtTestPatternCommand,
} from '@/lib/core/streams/encoder-commands';
import { PhoneSetup } from './phone-setup';

interface SrtSetupProps {
  stream: Pick<Stream, 'id' | 'name' | 'srtPassphrase'>;
  streamKey: string;
  srtUrl: string;
}

/** Address, passphrase and command for encoders that publish over SRT. */
export function SrtSetup({ stream, streamKey, srtUrl }: SrtSetupProps) {
  const t = useTranslations('streams.srtSetup');
  const saveFailed = useSaveFailed();
  const update = useUpdateStream(stream.id);
  const passphrase = stream.srtPassphrase;
  const url = srtPublishUrl({ srtUrl, streamKey, passphrase });
  const displayUrl = srtPublishUrl({
    srtUrl,
    streamKey: mask(streamKey),
    passphrase: passphrase === undefined ? undefined : mask(passphrase),
  });
  const setPassphrase = (srtPassphrase: string | null) =>
    update.mutate({ srtPassphrase }, { onError: saveFailed });
  return (
    <div className="grid gap-4">
      <p className="text-ink-2">{t('whenToUse')}</p>
      <CopyField label={t('address')} value={url} displayValue={displayUrl} />
      <SwitchRow
        label={t('encrypt')}
        description={t('whatEncryptDoes')}
        checked={passphrase !== undefined}
        onChange={(isEncrypted) => setPassphrase(isEncrypted ? createPassphrase() : null)}
      />
      {passphrase !== undefined && <SecretField label={t('passphrase')} value={passphrase} />}
      <CodeBlock
        label={t('ffmpegCommand')}
        code={srtTestPatternCommand(url)}
        maskedCode={srtTestPatternCommand(displayUrl)}
      />
      <CodeBlock
        label={t('gstreamerCommand')}
        code={gstreamerSrtCommand(url)}
        maskedCode={gstreamerSrtCommand(displayUrl)}
      />
      <PhoneSetup url={srtUrl} link={larixSrtLink({ srtUrl, streamKey, passphrase, name: stream.name })} />
    </div>
  );
}

/** Passphrase of 24 hexadecimal digits, which are 96 random bits. */
const createPassphrase = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );
