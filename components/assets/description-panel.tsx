'use client';

import { useTranslations } from 'use-intl';
import { useHasRole } from '@/components/teams/use-team';
import { DescriptionForm } from '@/components/ui/form/description-form';
import { Panel } from '@/components/ui/panel';
import { useUpdateAsset } from '@/lib/client/queries/asset-queries';
import type { Asset } from '@/lib/contract/assets/asset';

/** Description of an asset for its watch page; plain text for members who may not edit it. */
export function DescriptionPanel({ asset }: { asset: Asset }) {
  const t = useTranslations('ui.descriptionForm');
  const mayEdit = useHasRole('developer');
  const update = useUpdateAsset(asset.id);
  if (!mayEdit && asset.description === undefined) return null;
  return (
    <Panel {...(mayEdit ? {} : { title: t('description') })}>
      {mayEdit ? (
        <DescriptionForm
          savedText={asset.description}
          mutation={update}
          onSave={(description, onSaved) => update.mutate({ description }, { onSuccess: onSaved })}
        />
      ) : (
        <p className="text-ink-2 wrap-anywhere whitespace-pre-line">{asset.description}</p>
      )}
    </Panel>
  );
}
