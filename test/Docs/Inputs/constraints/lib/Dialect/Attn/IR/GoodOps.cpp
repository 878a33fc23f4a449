// mask_good_c3: the sum fits.
// mask_good_c8 was dropped.
int notALabel_c1 = 0;
