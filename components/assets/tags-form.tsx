'use client';

import { useWatch } from 'react-hook-form';
import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import { Field, Input } from '@/components/ui/form/field';
import { MutationForm, SubmitButton } from '@/components/ui/form/mutation-form';
import { useMutationForm } from '@/components/ui/form/use-mutation-form';
import { useUpdateAsset } from '@/lib/client/queries/asset-queries';
import type { Asset } from '@/lib/contract/assets/asset';

/** Parses comma-separated tags and normalizes them like the service. */
export const parseTags = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((tag) => tag.trim().toLowerCase())
      .filter((tag) => tag !== ''),
  ),
];

/** Edits the tags of an asset as comma-separated text. */
export function TagsForm({ asset }: { asset: Asset }) {
  const t = useTranslations('assets.tagsForm');
  const savedText = (asset.tags ?? []).join(', ');
  const update = useUpdateAsset(asset.id);
  const form = useMutationForm({
    mutation: update,
    fields: ['tags'],
    values: { tags: savedText },
    resetOptions: { keepDirtyValues: true },
  });
  const tags = parseTags(useWatch({ control: form.control, name: 'tags' }));
  const isUnchanged = tags.join(', ') === savedText;
  return (
    <MutationForm
      form={form}
      className="grid gap-4"
      canSubmit={!isUnchanged}
      actions={
        !isUnchanged && (
          <div>
            <SubmitButton variant="secondary">{t('save')}</SubmitButton>
          </div>
        )
      }
      onSubmit={() =>
        update.mutate(
          { tags },
          {
            onSuccess: () => {
              form.reset({ tags: tags.join(', ') });
              toast.success(t('saved'));
            },
          },
        )
      }
    >
      <Field label={t('label')} hint={t('hint')} error={form.errorOf('tags')}>
        {(field) => (
          <Input {...field} {...form.register('tags')} autoComplete="off" placeholder={t('placeholder')} />
        )}
      </Field>
    </MutationForm>
  );
}
