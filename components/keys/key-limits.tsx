'use client';

import { DAY_MS } from '@/lib/core/units';
import { ChevronDown } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { useHasRole } from '@/components/teams/use-team';
import { Button } from '@/components/ui/button';
import { Menu, MenuRadioGroup } from '@/components/ui/overlay/menu';
import { keyScopes, type KeyScope } from '@/lib/core/access/key-policy';

const lifetimes = ['never', '30', '90', '365'] as const;
/** Lifetime of a key: a number of days, or `never` if it does not expire. */
export type KeyLifetime = (typeof lifetimes)[number];

/** When a key that is created now expires, in Unix milliseconds; null: never. */
export const expiryOf = (lifetime: KeyLifetime): number | null =>
  lifetime === 'never' ? null : Date.now() + Number(lifetime) * DAY_MS;

interface KeyLimitFieldsProps {
  scope: KeyScope;
  lifetime: KeyLifetime;
  onScope: (scope: KeyScope) => void;
  onLifetime: (lifetime: KeyLifetime) => void;
}

/** Scope and lifetime of a new key. Only admins can choose the scope `all`, because such a key can do what admins can. */
export function KeyLimitFields({ scope, lifetime, onScope, onLifetime }: KeyLimitFieldsProps) {
  const t = useTranslations('keys.limits');
  const isAdmin = useHasRole('admin');
  // From the widest to the narrowest scope.
  const scopes = keyScopes.filter((keyScope) => keyScope !== 'all' || isAdmin).reverse();
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <LabelledMenu
        label={t('scope')}
        value={scope}
        options={scopes.map((value) => ({ value, label: t(`scopes.${value}`) }))}
        hint={t(`scopeText.${scope}`)}
        onChange={onScope}
      />
      <LabelledMenu
        label={t('expires')}
        value={lifetime}
        options={lifetimes.map((value) => ({ value, label: t(`lives.${value}`) }))}
        hint={t('expiresText')}
        onChange={onLifetime}
      />
    </div>
  );
}

interface LabelledMenuProps<T extends string> {
  label: string;
  value: T;
  options: readonly { value: T; label: string }[];
  hint: string;
  onChange: (value: T) => void;
}

function LabelledMenu<T extends string>({ label, value, options, hint, onChange }: LabelledMenuProps<T>) {
  const selectedLabel = options.find((candidate) => candidate.value === value)?.label ?? '';
  const choose = (optionValue: string) => {
    const option = options.find((candidate) => candidate.value === optionValue);
    if (option) onChange(option.value);
  };
  return (
    <div role="group" aria-label={label} className="grid content-start gap-1.5">
      <div className="text-sm font-medium">{label}</div>
      <Menu
        align="start"
        trigger={
          <Button className="w-fit" aria-label={`${label}: ${selectedLabel}`}>
            {selectedLabel}
            <ChevronDown aria-hidden="true" />
          </Button>
        }
      >
        <MenuRadioGroup label={label} value={value} options={options} onChange={choose} />
      </Menu>
      <p className="text-ink-3 text-sm">{hint}</p>
    </div>
  );
}
