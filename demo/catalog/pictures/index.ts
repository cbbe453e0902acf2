export type Drawing = string
export function draw(_drawing: Drawing, colours: string[], _seed: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 800"><rect width="800" height="800" fill="${colours[0]}"/></svg>`
}
