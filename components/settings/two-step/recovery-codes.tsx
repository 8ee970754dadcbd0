'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy/copy-button';
import { Notice } from '@/components/ui/notice';
import { Dialog, DialogActions } from '@/components/ui/overlay/dialog';
import { Panel } from '@/components/ui/panel';
import { useNewRecoveryCodes } from '@/lib/client/queries/factor-queries';
import { PasswordForm } from './password-form';

/** New recovery codes, which are shown only once. */
export function NewRecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const t = useTranslations('settings.twoStep');
  const codeLines = codes.join('\n');
  return (
    <div className="grid gap-4">
      <Notice>{t('saveCodes')}</Notice>
      <ul
        aria-label={t('recoveryCodes')}
        className="bg-sunken grid gap-x-4 gap-y-1.5 rounded-md border p-4 font-mono text-sm sm:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex items-center gap-2">
        <Button asChild size="sm">
          <a
            href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${codeLines}\n`)}`}
            download={`recovery-codes-${window.location.hostname}.txt`}
          >
            {t('downloadCodes')}
          </a>
        </Button>
        <CopyButton value={codeLines} label={t('copyCodes')} />
      </div>
      <DialogActions>
        <Button variant="primary" onClick={onDone}>
          {t('codesSaved')}
        </Button>
      </DialogActions>
    </div>
  );
}

/** Number of remaining recovery codes, and a dialog that replaces them. */
export function RecoveryCodesPanel({
  recoveryCodesLeft,
  email,
}: {
  recoveryCodesLeft: number;
  email: string;
}) {
  const t = useTranslations('settings.twoStep');
  const [open, setOpen] = useState(false);
  const createCodes = useNewRecoveryCodes();
  const changeOpen = (isOpen: boolean) => {
    // The dialog asks for the password again, and shows neither earlier codes nor an earlier error.
    createCodes.reset();
    setOpen(isOpen);
  };
  const dialog = (
    <Dialog
      open={open}
      onOpenChange={changeOpen}
      title={t('recoveryCodes')}
      {...(createCodes.data ? {} : { description: t('newCodesText') })}
      trigger={<Button size="sm">{t('newCodes')}</Button>}
    >
      {createCodes.data ? (
        <NewRecoveryCodes codes={createCodes.data.recoveryCodes} onDone={() => changeOpen(false)} />
      ) : (
        <PasswordForm
          email={email}
          submitLabel={t('createCodes')}
          mutation={createCodes}
          onSubmit={(password) => createCodes.mutate({ password })}
        />
      )}
    </Dialog>
  );
  return (
    <Panel title={t('recoveryCodes')} description={t('recoveryCodesText')} action={dialog}>
      {t('codesLeft', { count: recoveryCodesLeft })}
    </Panel>
  );
}
