// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Accounts} from "../../../src/Accounts.sol";
import {ISpot} from "../../../src/interfaces/ISpot.sol";
import {DevToken} from "../../../src/dev/DevToken.sol";
import {ISpot} from "../../../src/interfaces/ISpot.sol";
import {Campaign} from "../../invariant/Campaign.sol";
import {SpotHandler} from "./SpotHandler.sol";

/// Checks after each random call that its changes agree with the logs, and at intervals that the
/// whole storage agrees with itself, the tokens and the logs.
contract SpotInvariantsTest is Campaign {
    address private constant OWNER = address(0xA11);
    address private constant GUARDIAN = address(0x6A2D);

    SpotHandler private handler;

    function setUp() external {
        vm.warp(1_750_000_000);
        uint256[2] memory houseSecrets = [uint256(0x1115), 0xFEE5];
        Accounts accounts = Accounts(
            vm.deployCode(
                "out/shipped/Accounts.sol/Accounts.json",
                abi.encode(vm.addr(houseSecrets[0]), vm.addr(houseSecrets[1]), "openvenue")
            )
        );
        ISpot spot =
            ISpot(vm.deployCode("out/shipped/Spot.sol/Spot.json", abi.encode(accounts, OWNER)));
        DevToken[3] memory tokens = [
            new DevToken("US", "USDC", 6),
            new DevToken("Ether", "ETH", 18),
            new DevToken("Euro", "EURC", 6)
        ];
        address usdc = address(tokens[0]);
        vm.startPrank(OWNER);
        spot.list("ETH-USDC", address(tokens[1]), usdc, 1e4, 1e14, 1e6, 1e12);
        spot.list("EURC-USDC", address(tokens[2]), usdc, 1e2, 1e5, 1e6, 1e12);
        spot.setGuardian(GUARDIAN);
        vm.stopPrank();
        handler = new SpotHandler(
            accounts, ISpot(address(spot)), [OWNER, GUARDIAN], tokens, houseSecrets
        );
        _start(address(handler), _selectors());
    }

    function _selectors() private view returns (bytes4[] memory selectors) {
        selectors = new bytes4[](30);
        selectors[0] = handler.cancel.selector;
        selectors[1] = handler.cancelAll.selector;
        selectors[2] = handler.reduce.selector;
        selectors[3] = handler.sweep.selector;
        selectors[4] = handler.deposit.selector;
        selectors[5] = handler.withdraw.selector;
        selectors[6] = handler.overdraw.selector;
        selectors[7] = handler.transfer.selector;
        selectors[8] = handler.collect.selector;
        selectors[9] = handler.wait_.selector;
        selectors[10] = handler.halt.selector;
        selectors[11] = handler.register.selector;
        selectors[12] = handler.revoke.selector;
        selectors[13] = handler.placeSigned.selector;
        selectors[14] = handler.placeMany.selector;
        selectors[15] = handler.resend.selector;
        selectors[16] = handler.cancelSigned.selector;
        selectors[17] = handler.arm.selector;
        selectors[18] = handler.fire.selector;
        selectors[19] = handler.burn.selector;
        selectors[20] = handler.placeSigned.selector;
        selectors[21] = handler.placeSigned.selector;
        selectors[22] = handler.limitOutflow.selector;
        selectors[23] = handler.several.selector;
        selectors[24] = handler.change.selector;
        selectors[25] = handler.allowCanceller.selector;
        selectors[26] = handler.allowSigned.selector;
        selectors[27] = handler.revokeCanceller.selector;
        selectors[28] = handler.cancelFor.selector;
        selectors[29] = handler.cancelFor.selector;
    }

    /// A campaign that meets nothing shows nothing.
    function test_the_random_traders_reach_every_corner() external {
        string[] memory corners = new string[](21);
        corners[0] = "placed";
        corners[1] = "refused";
        corners[2] = "cancelled";
        corners[3] = "reduced";
        corners[4] = "swept";
        corners[5] = "withdrawn";
        corners[6] = "transferred";
        corners[7] = "registration replayed";
        corners[8] = "registration refused";
        corners[9] = "signer refused";
        corners[10] = "placed signed";
        corners[11] = "order replayed";
        corners[12] = "placed in a batch";
        corners[13] = "cancelled signed";
        corners[14] = "fired";
        corners[15] = "burnt signed";
        corners[16] = "outflow limit set";
        corners[17] = "changed";
        corners[18] = "cancelled for";
        corners[19] = "canceller allowed signed";
        corners[20] = "canceller refused";
        string[] memory rare = new string[](17);
        rare[0] = "collected";
        rare[1] = "registered";
        rare[2] = "registration forged";
        rare[3] = "revoked";
        rare[4] = "triggered";
        rare[5] = "replaced";
        rare[6] = "fired again";
        rare[7] = "disarmed";
        rare[8] = "outflow limited";
        rare[9] = "cancelled for reason 0";
        rare[10] = "cancelled for reason 1";
        rare[11] = "cancelled for reason 2";
        rare[12] = "cancelled for reason 3";
        rare[13] = "cancelled for reason 6";
        rare[14] = "several at once";
        rare[15] = "canceller allowed again";
        rare[16] = "canceller revoked";
        _runRandomCalls(corners, rare);
    }
}
