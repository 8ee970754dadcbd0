/** Texts of the clip editors. */
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
    nameOf: 'Clip aus {name}',
    create: 'Clip erstellen',
    cancel: 'Abbrechen',
    noDate:
      'Die Zeit dieses Bildes ist nicht bekannt. Spielen Sie das Video kurz ab und versuchen Sie es erneut.',
    creating: '„{name}“ wird erstellt',
    open: 'Öffnen',
  },
  viewer: {
    title: 'Neuer Clip',
    description: 'Ein Clip von bis zu {seconds} Sekunden beginnt genau mit dem Bild, das Sie sehen.',
    made: 'Unter diesem Link läuft der Clip, sobald er fertig ist: in wenigen Sekunden.',
    link: 'Link zum Clip',
    open: 'Clip öffnen',
    close: 'Schließen',
    tooMany: 'Hier wurden zu viele Clips erstellt. Versuchen Sie es später noch einmal.',
    notRecorded: 'Dieser Teil ist nicht aufgenommen. Wählen Sie einen anderen.',
    rejected: 'Hier können zurzeit keine Clips erstellt werden.',
    failed: 'Der Server antwortet nicht. Versuchen Sie es noch einmal.',
  },
};
