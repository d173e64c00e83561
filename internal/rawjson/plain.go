package rawjson

import (
	"encoding/binary"
	"math/bits"
)

// Texts are looked at eight bytes at a time: how far they need no closer look. In each function the top bit of a byte of
// found is set if that is one of those that end it; a borrow can only set more above the lowest.

const (
	ones = 0x0101010101010101
	tops = 0x8080808080808080
)

// plainEnd returns where the first quote, backslash or control character is, from b[i] on, or len(b).
func plainEnd(b []byte, i int) int {
	for ; i+8 <= len(b); i += 8 {
		x := binary.LittleEndian.Uint64(b[i:])
		quote, backslash := x^ones*'"', x^ones*'\\'
		if found := ((x-ones*' ')&^x | (quote-ones)&^quote | (backslash-ones)&^backslash) & tops; found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
	}
	for i < len(b) && stands(b[i]) {
		i++
	}
	return i
}

// asciiEnd is plainEnd for texts of which nothing is known: it ends at what is not ASCII, too.
func asciiEnd(b []byte, i int) int {
	for ; i+32 <= len(b); i += 32 { // four at a time, in long texts
		w := b[i : i+32]
		if special(binary.LittleEndian.Uint64(w))|special(binary.LittleEndian.Uint64(w[8:]))|
			special(binary.LittleEndian.Uint64(w[16:]))|special(binary.LittleEndian.Uint64(w[24:])) != 0 {
			break
		}
	}
	for ; i+8 <= len(b); i += 8 {
		if found := special(binary.LittleEndian.Uint64(b[i:])); found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
	}
	for i < len(b) && stands(b[i]) && b[i] < 0x80 {
		i++
	}
	return i
}

func special(x uint64) uint64 {
	return (x | (x - ones*' ') | ((x ^ ones*'"') - ones) | ((x ^ ones*'\\') - ones)) & tops
}
