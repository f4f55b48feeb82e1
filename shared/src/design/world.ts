/** Land on a grid of 5 degrees, from 80° north down to 55° south and from 180° west to the east, a dot where there is any. Drawn by hand. */
const LAND = [
  '                  ...............      ...             ...',
  '            .........    ........              ...    .....     ..',
  '    ....  ......  .....   ......        ...      .......................',
  ' .....................    ...   ..    ..................................',
  '    ..............   ...   .         ... .......................... ..',
  '          .......... ....          .  . .........................   .',
  '           ............. .         . ............................',
  '            ............            .......... ..................',
  '            ..........             ..  ....... ............. .  .',
  '            ..........             ....  . ................. . ..',
  '             ........             ........................... .',
  '              ...   .            ............................',
  '               ....  ..          ...............   ... ....',
  '                 ...             ..............    ..   ..  .',
  '                   . ....        ..............    ..   ..   .',
  '                     .....        .. .........      .  ..  .',
  '                    .......           .......           ..... ..',
  '                    .........          .....             .. .  ...',
  '                     ........          ......             .  .   ..',
  '                     ........          ...... .              ... .',
  '                      ......           ..... .              ......',
  '                      .....            ....  .             ........',
  '                      .....             ...                ........',
  '                      ....              .                   .  ....',
  '                      ..                                         .     .',
  '                      .                                               .',
  '                      .',
  '                      .',
];
const [STEP, NORTH, WEST] = [5, 80, -180];

/** The size of the map, in degrees. */
export const [MAP_WIDTH, MAP_HEIGHT] = [360, LAND.length * STEP];

/** Degrees north and east. */
export type Coordinates = readonly [latitude: number, longitude: number];

/** The place of a region on the map, in degrees from its upper left corner. Degrees are as long everywhere (plate carrée). */
export function placeOnMap([latitude, longitude]: Coordinates): { x: number; y: number } {
  return { x: longitude - WEST + STEP / 2, y: NORTH - latitude + STEP / 2 };
}

/** The land as SVG path data: each dot is a stroke without length, which is as round and large as the line is wide. */
export function landPath(): string {
  return LAND.flatMap((row, down) =>
    Array.from(row, (dot, across) => (dot === ' ' ? '' : `M${(across + 0.5) * STEP} ${(down + 0.5) * STEP}h0`)),
  ).join('');
}
