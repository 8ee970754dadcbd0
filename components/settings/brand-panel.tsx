'use client';

import { type ChangeEvent, useRef, useState } from 'react';
import { Controller, useWatch } from 'react-hook-form';
import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { Field, Input } from '@/components/ui/form/field';
import { MutationForm, SubmitButton } from '@/components/ui/form/mutation-form';
import { useMutationForm } from '@/components/ui/form/use-mutation-form';
import { SwitchRow } from '@/components/ui/form/toggle';
import { Panel } from '@/components/ui/panel';
import { Skeleton } from '@/components/ui/skeleton';
import { errorMessagesOf } from '@/lib/client/call';
import { useBrand, useDeleteLogo, useUpdateBrand, useUploadLogo } from '@/lib/client/queries/brand-queries';
import { type Brand, logoTypes, MAX_LOGO_BYTES } from '@/lib/contract/accounts/brand';
import { BrandPreview } from './brand-preview';

/** Branding of the watch pages and embedded players of the team. */
export function BrandPanel() {
  const t = useTranslations('settings.brandPanel');
  const { data: brand } = useBrand();
  return (
    <Panel id="viewer-pages" title={t('viewerPages')} description={t('description')}>
      {brand ? <BrandSettings brand={brand} /> : <Skeleton className="h-96" />}
    </Panel>
  );
}

/** The API has null instead of an empty text. */
const emptyToNull = (text: string): string | null => (text === '' ? null : text);

function BrandSettings({ brand }: { brand: Brand }) {
  const t = useTranslations('settings.brandPanel');
  const update = useUpdateBrand();
  const form = useMutationForm({
    mutation: update,
    fields: ['name', 'link', 'accent'],
    defaultValues: { name: brand.name ?? '', link: brand.link ?? '', accent: brand.accent },
  });
  const { control, errorOf, register } = form;
  const [name, link, accent] = useWatch({ control, name: ['name', 'link', 'accent'] });
  const draft = { name: emptyToNull(name), link: emptyToNull(link), accent };
  const hasChanges = draft.name !== brand.name || draft.accent !== brand.accent || draft.link !== brand.link;
  const save = () => update.mutate(draft, { onSuccess: () => toast.success(t('viewerPagesUpdated')) });
  const switchCasting = (casting: boolean) =>
    update.mutate(
      { casting },
      { onSuccess: () => toast.success(casting ? t('chromecastOn') : t('chromecastOff')) },
    );
  const switchReports = (viewerReports: boolean) =>
    update.mutate(
      { viewerReports },
      { onSuccess: () => toast.success(viewerReports ? t('reportsOn') : t('reportsOff')) },
    );
  return (
    <div className="grid gap-6 lg:grid-cols-2 lg:gap-8">
      <div className="grid min-w-0 content-start gap-6">
        <MutationForm
          form={form}
          canSubmit={hasChanges}
          actions={
            <div>
              <SubmitButton>{t('saveChanges')}</SubmitButton>
            </div>
          }
          onSubmit={save}
        >
          <Field label={t('brandName')} error={errorOf('name')}>
            {(field) => <Input {...field} {...register('name')} maxLength={60} autoComplete="off" />}
          </Field>
          <Field label={t('link')} hint={t('linkHint')} error={errorOf('link')}>
            {(field) => (
              <Input
                {...field}
                {...register('link')}
                type="url"
                maxLength={5000}
                placeholder="https://example.com"
                autoComplete="off"
              />
            )}
          </Field>
          <Controller
            control={control}
            name="accent"
            render={({ field }) => (
              <AccentField accent={field.value} error={errorOf('accent')} onChange={field.onChange} />
            )}
          />
        </MutationForm>
        <LogoField logoUrl={brand.logoUrl} />
        <SwitchRow
          label={t('offerChromecast')}
          description={t('chromecastText')}
          checked={brand.casting}
          disabled={update.isPending}
          onChange={switchCasting}
        />
        <SwitchRow
          label={t('measurePlayback')}
          description={t('measureText')}
          checked={brand.viewerReports}
          disabled={update.isPending}
          onChange={switchReports}
        />
      </div>
      <BrandPreview brand={{ ...brand, ...draft }} />
    </div>
  );
}

/** Color of the color input while no accent color is chosen: the default accent color. */
const defaultAccent = '#00596a';

interface AccentFieldProps {
  accent: string | null;
  error: string | undefined;
  onChange: (accent: string | null) => void;
}

function AccentField({ accent, error, onChange }: AccentFieldProps) {
  const t = useTranslations('settings.brandPanel');
  return (
    <Field label={t('accentColor')} hint={t('accentHint')} error={error}>
      {(field) => (
        <div className="flex flex-wrap items-center gap-3">
          <input
            {...field}
            type="color"
            value={accent ?? defaultAccent}
            onChange={({ target }) => onChange(target.value)}
            className="border-line-field bg-surface h-9 w-14 cursor-pointer rounded-md border p-1 max-sm:h-11"
          />
          <span className="text-ink-2 font-mono text-sm">{accent ?? t('default')}</span>
          {accent !== null && (
            <Button variant="ghost" size="sm" onClick={() => onChange(null)}>
              {t('resetToDefault')}
            </Button>
          )}
        </div>
      )}
    </Field>
  );
}

function LogoField({ logoUrl }: { logoUrl: string | null }) {
  const t = useTranslations('settings.brandPanel');
  const input = useRef<HTMLInputElement>(null);
  const upload = useUploadLogo();
  const remove = useDeleteLogo();
  const [isTooLarge, setTooLarge] = useState(false);
  const uploadChosenFile = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0];
    // Reset, so that the same file can be chosen again after a rejection.
    target.value = '';
    if (!file) return;
    setTooLarge(file.size > MAX_LOGO_BYTES);
    if (file.size <= MAX_LOGO_BYTES)
      upload.mutate(file, { onSuccess: () => toast.success(t('logoUploaded')) });
  };
  const errorMessages = isTooLarge ? [t('fileTooLarge')] : errorMessagesOf(upload.error ?? remove.error);
  return (
    <div role="group" aria-label={t('logo')} className="grid gap-1.5">
      <div className="text-sm font-medium">{t('logo')}</div>
      <div className="flex flex-wrap items-center gap-3">
        <Button pending={upload.isPending} onClick={() => input.current?.click()}>
          {logoUrl === null ? t('uploadLogo') : t('replaceLogo')}
        </Button>
        {logoUrl !== null && (
          <Button
            variant="ghost"
            pending={remove.isPending}
            onClick={() => remove.mutate(undefined, { onSuccess: () => toast.success(t('logoDeleted')) })}
          >
            {t('deleteLogo')}
          </Button>
        )}
        <input
          ref={input}
          type="file"
          aria-label={t('logoFile')}
          accept={logoTypes.join(',')}
          onChange={uploadChosenFile}
          hidden
        />
      </div>
      <p className="text-ink-3 text-sm">{t('logoHint')}</p>
      <p role="alert" className="text-live-ink text-sm empty:hidden">
        {errorMessages.join(' ')}
      </p>
    </div>
  );
}
