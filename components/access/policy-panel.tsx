'use client';

import Link from 'next/link';
import type { ReactNode } from 'react';
import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import { Notice } from '@/components/ui/notice';
import { Panel } from '@/components/ui/panel';
import { useUpdateAsset } from '@/lib/client/queries/asset-queries';
import { useUpdateStream } from '@/lib/client/queries/stream-queries';
import type { PlaybackPolicy } from '@/lib/contract/access/playback-policy';
import type { Asset } from '@/lib/contract/assets/asset';
import type { Stream } from '@/lib/contract/streams/stream';
import { PolicyForm } from './policy-form';

/** Panel in which a team decides who may watch a stream. */
export function StreamPolicyPanel({ stream }: { stream: Stream }) {
  const t = useTranslations('access.policy');
  const update = useUpdateStream(stream.id);
  return (
    <PolicyPanel
      policy={stream.playbackPolicy}
      description={t('description')}
      tokenHelp={t.rich('signingKeys', { link: keysLink })}
      saving={update}
      save={(playbackPolicy, callbacks) => update.mutate({ playbackPolicy }, callbacks)}
    />
  );
}

/** Panel in which a team decides who may watch an asset. */
export function AssetPolicyPanel({ asset }: { asset: Asset }) {
  const t = useTranslations('access.policy');
  const update = useUpdateAsset(asset.id);
  return (
    <PolicyPanel
      policy={asset.playbackPolicy}
      description={t('ofAsset')}
      tokenHelp={t.rich('signingKeysOfAsset', { link: keysLink })}
      note={asset.storage?.ipfs?.cid !== undefined && <Notice>{t('nothingOnIpfs')}</Notice>}
      saving={update}
      save={(playbackPolicy, callbacks) => update.mutate({ playbackPolicy }, callbacks)}
    />
  );
}

/** Tag renderer for messages: a link to the page of the signing keys. */
export const keysLink = (text: ReactNode) => (
  <Link href="/developers/signing-keys" className="text-accent-ink rounded-sm underline underline-offset-4">
    {text}
  </Link>
);

type FormProps = Parameters<typeof PolicyForm>[0];

interface PolicyPanelProps extends Pick<FormProps, 'tokenHelp' | 'note'> {
  policy: PlaybackPolicy | undefined;
  description: string;
  saving: FormProps['mutation'];
  save: (policy: Parameters<FormProps['onSubmit']>[0], callbacks: { onSuccess: () => void }) => void;
}

function PolicyPanel({ policy, description, saving, save, ...formSlots }: PolicyPanelProps) {
  const t = useTranslations('access.policy');
  return (
    <Panel id="who-can-watch" title={t('title')} description={description} className="max-w-3xl">
      <PolicyForm
        // A new key resets the form to the stored policy after it was changed.
        key={JSON.stringify(policy)}
        policy={policy}
        {...formSlots}
        mutation={saving}
        onSubmit={(newPolicy) => save(newPolicy, { onSuccess: () => toast.success(t('saved')) })}
      />
    </Panel>
  );
}
