// Japanese input: while the input method composes, what stands in a field is not yet what the person means, and the Enter
// that ends a composition belongs to the input method alone.

/** Whether a key press belongs to an input method. WebKit sends the Enter that ends a composition after its end, with the
 * key code 229 of a key that was handled elsewhere. */
export function composing(event: KeyboardEvent): boolean {
  return event.isComposing || event.keyCode === 229
}

/** Tells the field's text when it is meant: at each input outside a composition, and at its end. */
export function meant(told: (text: string) => void): (field: HTMLInputElement | HTMLTextAreaElement) => () => void {
  return (field) => {
    let held = false
    const start = () => (held = true)
    const end = () => {
      held = false
      told(field.value)
    }
    const input = () => {
      if (!held) told(field.value)
    }
    field.addEventListener('compositionstart', start)
    field.addEventListener('compositionend', end)
    field.addEventListener('input', input)
    return () => {
      field.removeEventListener('compositionstart', start)
      field.removeEventListener('compositionend', end)
      field.removeEventListener('input', input)
    }
  }
}
