'use client';

import { useRef, type ReactNode } from 'react';
import { Button } from '@/components/ui/button';
import type { AcceptedMedia } from '@/lib/core/media/media-rules';
import { useServerFeatures } from '@/components/shell/server-features';

/** Values of the `accept` attribute. They contain extensions for types that operating systems may not know. */
const acceptedTypes: Readonly<Record<AcceptedMedia, string>> = {
  mp4: 'video/mp4,.mp4,.m4v',
  any: 'video/*,audio/*,.mkv,.flv,.ts,.mts,.m2ts,.avi,.wmv,.mov,.webm,.mxf,.dv,.gif,.apng',
};

interface ChooseFilesButtonProps {
  /** Accessible name of the field. */
  label: string;
  /** Whether several files can be chosen. */
  multiple?: boolean;
  onFiles: (files: readonly File[]) => void;
  variant?: 'primary' | 'secondary';
  size?: 'sm' | 'md';
  children: ReactNode;
}

/** A button that opens the browser's dialog to choose files. */
export function ChooseFilesButton({
  label,
  multiple = false,
  onFiles,
  children,
  ...buttonProps
}: ChooseFilesButtonProps) {
  const { acceptMedia } = useServerFeatures();
  const field = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={field}
        type="file"
        hidden
        aria-label={label}
        multiple={multiple}
        accept={acceptedTypes[acceptMedia]}
        onChange={(event) => {
          const files = [...(event.target.files ?? [])];
          // Reset, so that the same file can be chosen again.
          event.target.value = '';
          if (files.length > 0) onFiles(files);
        }}
      />
      <Button {...buttonProps} onClick={() => field.current?.click()}>
        {children}
      </Button>
    </>
  );
}
