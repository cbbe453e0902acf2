/** Says something to a screen reader without moving the focus. */
export function announce(text: string): void {
  const announcer = document.getElementById("announcer")
  if (announcer) {
    announcer.textContent = ""
    // A reader hears a change, not a repetition: the text must come in a later frame.
    requestAnimationFrame(() => {
      announcer.textContent = text
    })
  }
}
