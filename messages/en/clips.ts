/** Texts of the panel that cuts clips. */
export const clips = {
  editor: {
    title: 'New clip',
    description: 'The clip becomes an asset of its own. It starts with exactly the frame you see.',
    start: 'Start',
    end: 'End',
    startHere: 'Start here',
    endHere: 'End here',
    length: 'Length: {length}',
    name: 'Name',
    create: 'Create clip',
    cancel: 'Cancel',
    noDate: 'The time of this picture is not known. Play the video for a moment and try again.',
    creating: 'Creating “{name}”',
    open: 'Open',
  },
};
