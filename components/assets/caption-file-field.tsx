'use client';

import { useRef, type ReactNode } from 'react';
import { Button } from '@/components/ui/button';
import { captionLimits } from '@/lib/core/captions/caption-file';

/** A chosen WebVTT or SubRip file; without text if the file is too large or could not be read. */
export interface ChosenCaptionFile {
  readonly name: string;
  readonly text: string | null;
  /** Key of the error message. */
  readonly problemKey?: 'fileTooLarge' | 'fileNotRead';
}

interface CaptionFileFieldProps {
  /** Accessible name of the field. */
  label: string;
  onFile: (file: ChosenCaptionFile) => void;
  size?: 'sm' | 'md';
  children: ReactNode;
}

/** A button that opens the browser's dialog for subtitle files. */
export function CaptionFileField({ label, onFile, size = 'md', children }: CaptionFileFieldProps) {
  const inputRef = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={inputRef}
        type="file"
        hidden
        aria-label={label}
        accept=".vtt,.srt,text/vtt"
        onChange={({ target }) => {
          const file = target.files?.[0];
          // Reset, so that the same file can be chosen again.
          target.value = '';
          if (file) void readFile(file).then(onFile);
        }}
      />
      <Button size={size} onClick={() => inputRef.current?.click()}>
        {children}
      </Button>
    </>
  );
}

/** Larger files are not read: no encoding needs more than four bytes per character. */
const MAX_FILE_BYTES = captionLimits.characters * 4;

async function readFile(file: File): Promise<ChosenCaptionFile> {
  const { name } = file;
  const tooLarge = { name, text: null, problemKey: 'fileTooLarge' } as const;
  if (file.size > MAX_FILE_BYTES) return tooLarge;
  try {
    const text = decodeText(new Uint8Array(await file.arrayBuffer()));
    return text.length > captionLimits.characters ? tooLarge : { name, text };
  } catch {
    // For example, the file was moved or may not be read.
    return { name, text: null, problemKey: 'fileNotRead' };
  }
}

/**
 * Decodes a subtitle file. Files do not declare their encoding, and files that are not UTF-8 or UTF-16 are most often
 * Windows-1252.
 */
function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  // Byte order marks of UTF-16.
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
