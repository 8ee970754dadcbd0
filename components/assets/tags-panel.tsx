'use client';

import { useWatch } from 'react-hook-form';
import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import { Field, Input } from '@/components/ui/form/field';
import { MutationForm, SubmitButton } from '@/components/ui/form/mutation-form';
import { useMutationForm } from '@/components/ui/form/use-mutation-form';
import { Panel } from '@/components/ui/panel';
import { useHasRole } from '@/components/teams/use-team';
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

export function TagList({ tags }: { tags: readonly string[] }) {
  return (
    <span className="mt-0.5 flex flex-wrap gap-1">
      {tags.map((tag) => (
        <span key={tag} className="bg-hover text-ink-2 max-w-40 truncate rounded-sm px-1.5 text-sm">
          {tag}
        </span>
      ))}
    </span>
  );
}

/** Edits the tags of an asset as comma-separated text. */
export function TagsPanel({ asset }: { asset: Asset }) {
  const t = useTranslations('assets.tagsPanel');
  const mayEdit = useHasRole('developer');
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
  if (!mayEdit) {
    if (savedText === '') return null;
    return (
      <Panel title={t('title')}>
        <TagList tags={asset.tags ?? []} />
      </Panel>
    );
  }
  return (
    <Panel>
      <MutationForm
        form={form}
        className="grid gap-4"
        complete={!isUnchanged}
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
    </Panel>
  );
}
