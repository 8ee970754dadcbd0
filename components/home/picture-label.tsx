/** Time in the lower right corner of a picture. */
export function PictureLabel({ name, children }: { name: string; children: string }) {
  return (
    <span className="absolute right-1.5 bottom-1.5 rounded-sm bg-black/75 px-1.5 py-0.5 font-mono text-xs text-white tabular-nums">
      <span className="sr-only">{name} </span>
      {children}
    </span>
  );
}
