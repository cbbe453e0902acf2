import { joinReadyQueue, type PlayerSpot } from "./player.ts"

/**
 * Opens the player, for a button of the shop's own: "Buy in the show". At a product it shows that
 * product, where the show has it.
 *
 * @returns false where there is no player yet, or none that a shop can open
 */
export function openPlayer(at?: PlayerSpot): boolean {
  let now = true
  let opened = false
  joinReadyQueue((sdk) => {
    // A player that comes later must not open by itself: the shopper is elsewhere by then.
    if (now && sdk.openPlayer) opened = sdk.openPlayer(at) !== false
  })
  now = false
  return opened
}
