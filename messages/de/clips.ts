/** Texte des Bereichs, in dem Clips geschnitten werden. */
export const clips = {
  editor: {
    title: 'Neuer Clip',
    description: 'Der Clip wird ein eigenes Asset. Er beginnt genau mit dem Bild, das Sie sehen.',
    start: 'Anfang',
    end: 'Ende',
    startHere: 'Hier anfangen',
    endHere: 'Hier enden',
    length: 'Länge: {length}',
    name: 'Name',
    create: 'Clip erstellen',
    cancel: 'Abbrechen',
    noDate:
      'Die Zeit dieses Bildes ist nicht bekannt. Spielen Sie das Video kurz ab und versuchen Sie es erneut.',
    creating: '„{name}“ wird erstellt',
    open: 'Öffnen',
  },
};
