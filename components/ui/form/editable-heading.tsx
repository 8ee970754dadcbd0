'use client';

import { Pencil } from 'lucide-react';
import { useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { ObjectTitle } from '@/components/ui/page-header';
import { Input } from './field';

interface EditableHeadingProps {
  /** Kind of the named object: "stream". */
  subject: string;
  name: string;
  /** Whether the name can't be changed. */
  isFixed?: boolean;
  onRename: (name: string) => void;
}

/** A heading that becomes a text field when it is clicked. Enter or leaving the field saves, Escape cancels. */
export function EditableHeading({ subject, name, isFixed = false, onRename }: EditableHeadingProps) {
  const t = useTranslations('ui.nameInPlace');
  // Text of the field; null while the heading is shown.
  const [draft, setDraft] = useState<string | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  // Enter and Escape close the field, which fires a blur event that must not finish again.
  const hasFinished = useRef(false);

  function finish(shouldSave: boolean) {
    if (hasFinished.current) return;
    hasFinished.current = true;
    const newName = draft?.trim();
    if (shouldSave && newName && newName !== name) onRename(newName);
    setDraft(null);
    // The button exists only after the next render.
    requestAnimationFrame(() => button.current?.focus());
  }

  if (isFixed) return <ObjectTitle name={name} />;
  if (draft === null) {
    return (
      <span className="group flex max-w-full items-center gap-2">
        <ObjectTitle name={name} />
        <button
          ref={button}
          type="button"
          aria-label={t('rename', { what: subject })}
          onClick={() => {
            hasFinished.current = false;
            setDraft(name);
          }}
          className="text-ink-3 hover:bg-hover hover:text-ink inline-flex size-8 shrink-0 items-center justify-center rounded-md max-sm:size-11"
        >
          <Pencil aria-hidden="true" className="size-4" />
        </button>
      </span>
    );
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        finish(true);
      }}
    >
      <Input
        autoFocus
        aria-label={t('name', { what: subject })}
        value={draft}
        maxLength={200}
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => setDraft(event.target.value)}
        onBlur={() => finish(true)}
        onKeyDown={(event) => event.key === 'Escape' && finish(false)}
        className="h-10 min-w-0 text-xl font-semibold tracking-tight sm:w-96"
      />
    </form>
  );
}
