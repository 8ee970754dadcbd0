'use client';

import { Command } from 'cmdk';
import { CornerDownLeft, type LucideIcon } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { useState } from 'react';
import { useTranslations } from 'use-intl';

const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const playbackIdPattern = /^[a-z0-9]{16}$/;
/** A UUID anywhere in a text, or a playback id in a URL. */
const idPattern =
  /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?<=\/(?:hls|asset|watch|embed)\/)[a-z0-9]{16}/i;

/** A pasted id of an object or a playback id, alone or in a URL of this service. */
type PastedId = { readonly kind: 'object' | 'playback'; readonly id: string };

/** Id in a pasted text; null if it contains none. */
export function parsePastedId(text: string): PastedId | null {
  const trimmedText = text.trim();
  const id = (idPattern.exec(trimmedText)?.[0] ?? trimmedText).toLowerCase();
  if (uuidPattern.test(id)) return { kind: 'object', id };
  return playbackIdPattern.test(id) ? { kind: 'playback', id } : null;
}

export interface PaletteItem {
  readonly id: string;
  readonly label: string;
  /** Text on the right: the kind of the result, or its keyboard shortcut. */
  readonly hint?: string;
  readonly icon: LucideIcon;
  readonly onSelect: () => void;
}

interface PaletteGroup {
  readonly title: string;
  readonly items: readonly PaletteItem[];
}

interface CommandPaletteDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  text: string;
  onText: (text: string) => void;
  /** Results for the text; the caller searches. */
  groups: readonly PaletteGroup[];
  searching: boolean;
}

/**
 * Dialog with a search field and the results in groups. The first result is selected until the arrow keys select
 * another one, and Enter runs the selected one.
 */
export default function CommandPaletteDialog(props: CommandPaletteDialogProps) {
  const t = useTranslations('palette.commandPalette');
  const ids = props.groups.flatMap(({ items }) => items.map(({ id }) => id));
  const isEmpty = ids.length === 0;
  const [selectedValue, setSelectedValue] = useState('');
  // Results change after the text, so the selected item may no longer be listed: then the first one is selected.
  const value = ids.includes(selectedValue) ? selectedValue : (ids[0] ?? '');
  return (
    <Dialog.Root open={props.open} onOpenChange={props.onOpenChange}>
      <Dialog.Portal>
        <Dialog.Overlay className="bg-scrim animate-fade fixed inset-0 z-40" />
        <Dialog.Content
          aria-describedby={undefined}
          className="bg-raised shadow-pop animate-pop fixed inset-x-4 top-4 z-50 mx-auto max-w-xl overflow-hidden rounded-xl border focus:outline-none sm:top-[14vh]"
        >
          <Dialog.Title className="sr-only">{t('searchAndCommands')}</Dialog.Title>
          <Command
            label={t('searchAndCommands')}
            shouldFilter={false}
            loop
            value={value}
            onValueChange={setSelectedValue}
          >
            <Command.Input
              value={props.text}
              onValueChange={(text) => {
                setSelectedValue('');
                props.onText(text);
              }}
              placeholder={t('placeholder')}
              className="placeholder:text-ink-3 h-13 w-full border-b bg-transparent px-4 text-lg outline-none"
            />
            <Command.List
              className="max-h-[min(24rem,60dvh)] overflow-y-auto p-2"
              aria-busy={props.searching}
            >
              {isEmpty && (
                <p role="status" className="text-ink-2 px-3 py-6 text-center">
                  {props.searching ? t('searching') : t('noResults', { text: props.text.trim() })}
                </p>
              )}
              {props.groups.map(
                ({ title, items }) =>
                  items.length > 0 && <PaletteItemGroup key={title} title={title} items={items} />,
              )}
            </Command.List>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function PaletteItemGroup({ title, items }: PaletteGroup) {
  return (
    <Command.Group
      heading={title}
      className="[&_[cmdk-group-heading]]:text-ink-3 [&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs"
    >
      {items.map(({ id, label, hint, icon: Icon, onSelect }) => (
        <Command.Item
          key={id}
          value={id}
          onSelect={onSelect}
          className="data-[selected=true]:bg-hover group flex h-10 cursor-default items-center gap-3 rounded-md px-3"
        >
          <Icon aria-hidden="true" className="text-ink-3 size-4 shrink-0" strokeWidth={1.75} />
          <span className="min-w-0 flex-1 truncate">{label}</span>
          {hint && <span className="text-ink-3 shrink-0 text-sm">{hint}</span>}
          <CornerDownLeft
            aria-hidden="true"
            className="text-ink-3 size-3.5 shrink-0 opacity-0 group-data-[selected=true]:opacity-100"
          />
        </Command.Item>
      ))}
    </Command.Group>
  );
}
